/** A grown file is resumed; a rewritten one is reread, whatever its length. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

const line = (content: string) =>
  `${JSON.stringify({ role: 'user', content, timestamp: '2026-02-05T10:30:00Z', session_id: 's', id: content.slice(0, 9) })}\n`

it('a file that was replaced by a longer one loses nothing of either', async () => {
  const home = testHome()
  const path = join(home.logs, 'chat.jsonl')
  const mnemonic = await home.open()
  const sync = async () => (await mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })).totals
  const said = async () => (await mnemonic.sql('select content from agent_messages order by sequence')).rows.flat()
  writeFileSync(path, line('note one of the first file') + line('note two of the first file'))
  expect(await sync()).toMatchObject({ records: 2 })
  const second = ['text one of the second file, which is much longer', 'text two of it', 'text three of it, to be longer still']
  // Its lines end elsewhere, so resuming would start inside one.
  writeFileSync(path, second.map(line).join(''))
  expect(await sync()).toMatchObject({ records: 3, skipped_lines: 0 })
  expect(await said()).toEqual(['note one of the first file', 'note two of the first file', ...second])
  appendFileSync(path, line('more of it, at its end'))
  expect(await sync()).toMatchObject({ records: 1, repeated: 0 })
})
