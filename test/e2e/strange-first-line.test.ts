/** A line that does not belong costs no more than itself, also where a file begins with it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'

const STRANGE = [
  '{}',
  '{"a":18446744073709551616}',
  '{"type":"user"}{"type":"user"}',
  '{"type":"user","message":null}',
  '\u0000\u0000',
  'null',
]

it('of a Codex rollout', async () => {
  const home = testHome()
  const folder = join(home.root, 'codex')
  mkdirSync(folder)
  for (const [i, first] of STRANGE.entries()) {
    const id = `5eed0000-0000-4000-8000-00000000000${i}`
    const at = { timestamp: '2026-09-01T09:00:00Z' }
    const say = (role: string, type: string, text: string) => ({
      ...at,
      ...{ type: 'response_item', payload: { type: 'message', role, content: [{ type, text }] } },
    })
    const lines = [
      { ...at, type: 'session_meta', payload: { id, ...at, cwd: '/x', originator: 'codex', cli_version: '0.50.0' } },
      say('user', 'input_text', `question ${i}`),
      say('assistant', 'output_text', `answer ${i}`),
    ]
    const name = `rollout-2026-09-01T09-00-00-${id}.jsonl`
    writeFileSync(join(folder, name), `${first}\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`)
  }
  const mnemonic = await home.open({ config: { sources: { codex: { paths: [folder] } } } })
  expect((await mnemonic.sync({ adapters: ['codex'], embed: false })).totals.quarantined).toBe(0)
  const { rows } = await mnemonic.sql('select content from agent_messages order by 1')
  expect(rows.flat()).toEqual([...STRANGE.map((_, i) => `answer ${i}`), ...STRANGE.map((_, i) => `question ${i}`)])
})

it('of a plain file, that begins as UTF-16 would and is none', async () => {
  const home = testHome()
  const lines = ['user', 'assistant'].map((role) =>
    JSON.stringify({ role, content: `words of ${role}`, timestamp: '2026-09-01T09:00:00Z' }),
  )
  writeFileSync(
    join(home.logs, 'a.jsonl'),
    Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(`rest of a lost block\n${lines.join('\n')}\n`)]),
  )
  writeFileSync(join(home.logs, 'b.jsonl'), Buffer.from(`\ufeff${lines.join('\n')}\n`, 'utf16le'))
  const mnemonic = await home.open({ config: { sources: { jsonl: { paths: [home.logs] } } } })
  expect((await mnemonic.sync({ adapters: ['jsonl'], embed: false })).totals.quarantined).toBe(1)
  expect((await mnemonic.sql('select content from agent_messages')).rows.flat()).toEqual(['words of user', 'words of assistant'])
})
