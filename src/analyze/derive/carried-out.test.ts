import { describe, expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { shortHash } from '../../core/hash.ts'
import type { AgentRecord, MessageRecord } from '../../ledgers/agent-record.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import { deriveEvents } from './derive-events.ts'

const START = NOON - 24 * 3_600_000
const HANDED = 'Implement the following plan:\n\n# Light the pier by a timer\n\nThe lamps are lit by hand every night.'
const PLAN = '# Plan: Light the pier by a timer\n\nThe lamps are lit by hand every night.'

/** The log lines of one turn: prompt, tool calls, final answer. */
interface Turn {
  readonly prompt: string
  readonly calls?: readonly { readonly name: string; readonly params: object; readonly result?: string; readonly failed?: boolean }[]
}

async function decisionsOf(source: string, turns: readonly Turn[]): Promise<(string | null)[]> {
  const store = await tempStore()
  const records: AgentRecord[] = [{ type: 'session', session: 's', firstHash: 's' }]
  const say = (role: MessageRecord['role'], kind: MessageRecord['kind'], text: string, more: Partial<MessageRecord> = {}) => {
    const id = `m${records.length}`
    records.push({
      ...{ type: 'message', session: 's', id, hash: shortHash(16, id, text), role, kind, text, timestamp: START + records.length * 1000 },
      ...{ trust: role === 'user' ? 'owner' : 'agent', ...more },
    })
  }
  for (const [t, { prompt, calls = [] }] of turns.entries()) {
    say('user', 'prompt', prompt)
    for (const [c, { name, params, result = 'ok', failed = false }] of calls.entries()) {
      const id = `call${t}-${c}`
      say('assistant', 'reply', '', { toolCalls: [{ id, name, params: JSON.stringify(params) }] })
      const told = { callId: id, result: JSON.stringify({ content: result }), isError: failed }
      say('tool', 'tool_result', '', { toolResults: [told] })
    }
    say('assistant', 'reply', 'That is all.')
  }
  const writer = agentsWriter({ source, clock: () => NOON, quietMs: 7_200_000 })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
  await deriveEvents(store, { clock: () => NOON })
  const rows = await store.read.selectFrom('events').select(['content', 'metadata_json']).where('source_adapter', '=', 'derived').execute()
  return rows.map(({ content }) => content)
}

const PATCH = '*** Begin Patch\n*** Update File: pier.ts\n@@\n-hand\n+timer\n*** End Patch'
const EDITS = {
  codex: { name: 'apply_patch', params: { input: PATCH } },
  cursor: { name: 'edit_file', params: { target_file: 'pier.ts', code_edit: 'timer()' } },
  'claude-code': { name: 'Edit', params: { file_path: '/srv/pier.ts', old_string: 'hand', new_string: 'timer' } },
}

describe.each(Object.entries(EDITS))('a plan that was handed to %s', (source, edit) => {
  it('is a decision where a file changed after it', async () =>
    expect(await decisionsOf(source, [{ prompt: HANDED, calls: [edit] }])).toEqual(['Light the pier by a timer']))
  it('is none where nothing was done', async () => expect(await decisionsOf(source, [{ prompt: HANDED }])).toEqual([]))
  it('is none where what was done came before it', async () =>
    expect(await decisionsOf(source, [{ prompt: 'Dim the pier.', calls: [edit] }, { prompt: HANDED }])).toEqual([]))
  it('is a decision where it was carried out in a later turn', async () =>
    expect(await decisionsOf(source, [{ prompt: HANDED }, { prompt: 'go on', calls: [edit] }])).toEqual(['Light the pier by a timer']))
})

it.each([
  ['a commit', { name: 'Bash', params: { command: 'git commit -m "Light the pier"' }, result: '[main 1a2b3c4] Light the pier' }, 1],
  ['work that another agent got', { name: 'Task', params: { prompt: 'Light the pier' } }, 1],
  ['reading', { name: 'Read', params: { file_path: '/srv/pier.ts' } }, 0],
  ['an edit that failed', { ...EDITS['claude-code'], failed: true, result: 'File has not been read yet' }, 0],
  ['writing the plan itself down', { name: 'Write', params: { file_path: '/home/me/.claude/plans/pier.md', content: PLAN } }, 0],
])('after a plan, %s', async (_, call, count) =>
  expect(await decisionsOf('claude-code', [{ prompt: HANDED, calls: [call] }])).toHaveLength(count),
)

it('a plan that was approved in the harness and left alone is none', async () => {
  const approved = { name: 'ExitPlanMode', params: { plan: PLAN }, result: `User has approved your plan.\n\n## Approved Plan:\n${PLAN}` }
  expect(await decisionsOf('claude-code', [{ prompt: 'Plan the lamps.', calls: [approved] }])).toEqual([])
  expect(await decisionsOf('claude-code', [{ prompt: 'Plan the lamps.', calls: [approved, EDITS['claude-code']] }])).toHaveLength(1)
})

it('many calls that did nothing are looked through to the one that did', async () => {
  const read = { name: 'Read', params: { file_path: '/srv/pier.ts' } }
  const calls = [EDITS['claude-code'], ...Array.from({ length: 90 }, () => read)]
  expect(await decisionsOf('claude-code', [{ prompt: HANDED, calls }])).toHaveLength(1)
})
