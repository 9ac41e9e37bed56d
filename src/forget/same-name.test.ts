/** Two files of one name are two sessions: each is forgotten for itself. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z' })}\n`

it('the second of two sessions of one name stays forgotten when its source is written anew, and the first one stays', async () => {
  const home = testHome()
  const [one, two] = ['one', 'two'].map((name) => join(home.logs, name, 'chat.jsonl')) as [string, string]
  for (const path of [one, two]) mkdirSync(join(path, '..'))
  writeFileSync(one, line('user', 'Who keeps the bees at the abbey?') + line('assistant', 'Brother Adam.'))
  const mnemonic = await home.open()
  const sync = () => mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })
  const sessions = async () => (await mnemonic.sql('select id from agent_sessions order by id')).rows.flat().map(String)
  await sync()
  writeFileSync(two, line('user', 'Where is the vault of the abbey?') + line('assistant', 'Below the altar.'))
  await sync()
  const second = (await sessions()).find((id) => id.startsWith('jsonl:chat~')) as string
  expect(await sessions()).toEqual(['jsonl:chat', second])
  await mnemonic.forget({ session: second })
  expect(await sessions()).toEqual(['jsonl:chat'])
  // Rewritten, so that it is read from its beginning.
  writeFileSync(two, line('user', 'Where is the vault of the abbey?') + line('user', 'And who has the key?'))
  appendFileSync(one, line('user', 'How many hives?'))
  await sync()
  expect(await sessions()).toEqual(['jsonl:chat'])
  const said = (await mnemonic.sql('select content from agent_messages order by sequence')).rows.flat()
  expect(said).toEqual(['Who keeps the bees at the abbey?', 'Brother Adam.', 'How many hives?'])
})
