/** Two files share a short session name: appends go to the right session, and so does forget. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

let count = 0
const json = (value: object) => `${JSON.stringify(value)}\n`
const timestamp = '2026-02-05T11:30:00Z'

/** `head`: the start of such a file. */
const FORMATS: Readonly<Record<string, { file: string; head: (started: string) => string; line: (text: string) => string }>> = {
  'claude-code': {
    file: 'short.jsonl',
    head: () => '',
    line: (content) =>
      json({ type: 'user', uuid: `u${++count}`, parentUuid: null, sessionId: 'short', timestamp, message: { role: 'user', content } }),
  },
  codex: {
    file: 'rollout-2026-02-05T10-30-00-short.jsonl',
    head: (started) => json({ timestamp: started, type: 'session_meta', payload: { id: 'short', timestamp: started, cli_version: '1' } }),
    line: (text) =>
      json({ timestamp, type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } }),
  },
  pi: {
    file: 'short.jsonl',
    head: (started) => json({ type: 'session', version: 3, id: 'short', timestamp: started, cwd: '/home/dev/atlas' }),
    line: (content) => json({ type: 'message', id: `p${++count}`, parentId: null, timestamp, message: { role: 'user', content } }),
  },
}

it.each(Object.entries(FORMATS))('%s', async (adapter, { file, head, line }) => {
  const home = testHome()
  const [one, two] = ['one', 'two'].map((folder) => join(home.logs, folder, file)) as [string, string]
  for (const path of [one, two]) mkdirSync(join(path, '..'))
  const mnemonic = await home.open()
  const sync = () => mnemonic.sync({ path: home.logs, adapters: [adapter], embed: false })
  const said = async () => (await mnemonic.sql('select session_id, content from agent_messages order by session_id, sequence')).rows
  writeFileSync(one, head('2026-02-05T10:30:00Z') + line('of the first'))
  await sync()
  writeFileSync(two, head('2026-02-06T10:30:00Z') + line('of the second'))
  await sync()
  appendFileSync(two, line('more of the second'))
  await sync()
  const [plain, second] = [`${adapter}:short`, expect.stringMatching(`^${adapter}:short~`)]
  const rows = await said()
  expect(rows).toEqual([
    [plain, 'of the first'],
    [second, 'of the second'],
    [second, 'more of the second'],
  ])
  await mnemonic.forget({ session: String(rows[1]?.[0]) })
  appendFileSync(two, line('still more of the second'))
  await sync()
  expect(await said()).toEqual([[plain, 'of the first']])
})
