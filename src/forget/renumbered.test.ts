import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

const line = (role: string, content: string, more: object = {}) =>
  `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z', ...more })}\n`

const AGAIN = ['Sell it  all tonight', 'Sold.'] as const

it('forgotten by its turn, told again under other numbers: it stays out of its session, and others may say it', async () => {
  const home = testHome()
  const [chat, other] = [join(home.logs, 'chat.jsonl'), join(home.logs, 'other.jsonl')]
  const mnemonic = await home.open()
  const sync = () => mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })
  const said = async (session: string) =>
    (await mnemonic.sql(`select content from agent_messages where session_id = 'jsonl:${session}' order by sequence`)).rows.flat()
  writeFileSync(
    chat,
    line('user', 'How are the boats?') +
      line('assistant', 'All afloat.') +
      line('user', 'Sell it all tonight') +
      line('assistant', 'Sold.'),
  )
  await sync()
  const turns = (await mnemonic.sql('select id from agent_turns order by sequence')).rows.flat()
  await mnemonic.forget({ turn: String(turns[1]) })
  expect(await said('chat')).toEqual(['How are the boats?', 'All afloat.'])
  // A new first line changes every ordinal, and so every id.
  writeFileSync(
    chat,
    line('system', 'A line that was not there.') +
      line('user', 'How are the boats?') +
      line('assistant', 'All afloat.') +
      line('user', AGAIN[0]) +
      line('assistant', AGAIN[1]),
  )
  writeFileSync(other, line('user', AGAIN[0]) + line('assistant', AGAIN[1]))
  await sync()
  const back = await said('chat')
  expect(back).toContain('A line that was not there.')
  expect(back).not.toContain(AGAIN[0])
  expect(back).not.toContain(AGAIN[1])
  expect(await said('other')).toEqual([...AGAIN])
})
