import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, messagesOf, recordsOf, sessionsOf, titlesOf, unitOf } from '../../../test/helpers/collect-items.ts'
import { type RolloutLine, rolloutLines } from '../../../test/helpers/sources/codex.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import { sha256 } from '../../core/hash.ts'
import type { ReadItem } from '../adapter.ts'
import { codex } from './codex.ts'

const THREAD = '0198aaaa-0000-7000-8000-000000000001'
const adapter = codex({ paths: [] })
const { line, item, event, asked, answered, started, meta } = rolloutLines(THREAD)

function file(lines: readonly unknown[], name = `rollout-2026-05-01T09-00-00-${THREAD}.jsonl`): string {
  const path = join(tempFolder(), name)
  writeFileSync(path, lines.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''))
  return path
}

const read = (lines: readonly unknown[]): Promise<ReadItem[]> => collectItems(adapter, file(lines))
const told = async (lines: readonly unknown[]) => messagesOf(await read(lines)).map(({ role, kind, text }) => [role, kind, text])

describe('what happens to a thread', () => {
  it('a compaction is a summary; the copies in it are no messages', async () => {
    const history = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'old words' }] }]
    const items = await read([
      meta(),
      asked('old words'),
      answered('yes'),
      line('compacted', { message: 'So far.', replacement_history: history, window_id: 'w2' }),
      event('context_compacted'),
    ])
    expect(messagesOf(items).at(-1)).toMatchObject({
      role: 'system',
      kind: 'summary',
      text: 'So far.',
      compaction: { metadata: { window_id: 'w2', replacement_items: 1 } },
    })
    expect(messagesOf(items)).toHaveLength(3)
  })

  it('turns that are rolled back are left behind: the next prompt follows what stood before them', async () => {
    const exchange = (n: number) => [started(`t${n}`), asked(`q${n}`), event('user_message', { message: `q${n}` }), answered(`a${n}`)]
    const items = await read([
      meta(),
      ...exchange(1),
      ...exchange(2),
      ...exchange(3),
      event('thread_rolled_back', { num_turns: 2 }),
      ...exchange(4),
      event('thread_rolled_back', { num_turns: 9 }),
      ...exchange(5),
    ])
    const messages = messagesOf(items)
    const first = messages.find((message) => message.text === 'a1')
    expect(recordsOf(items).filter((record) => record.type === 'head')).toEqual([
      { type: 'head', session: THREAD, recordId: first?.id },
      { type: 'head', session: THREAD },
      { type: 'head', session: THREAD },
    ])
    expect(messages.find((message) => message.text === 'q4')?.parent).toBe(first?.id)
    expect(messages.find((message) => message.text === 'q5')?.parent).toBeUndefined()
  })

  it('an aborted turn, an error and a review are notices; a name is a title; a goal is context', async () => {
    const items = await read([
      meta(),
      event('thread_name_updated', { thread_name: 'Early name' }),
      asked('go'),
      event('turn_aborted', { reason: 'interrupted' }),
      event('error', { message: 'out of credit' }),
      event('exited_review_mode', { review_output: { overall_explanation: 'fine', findings: [{ title: 'x' }] } }),
      event('thread_name_updated', { thread_name: 'Port of atlas' }),
      event('thread_goal_updated', { goal: { objective: 'ship', status: 'active' } }),
    ])
    expect(
      messagesOf(items)
        .slice(1)
        .map(({ kind, text, metadata }) => [kind, text, metadata?.event]),
    ).toEqual([
      ['notice', 'interrupted', 'turn_aborted'],
      ['notice', 'out of credit', 'error'],
      ['notice', 'fine', 'exited_review_mode'],
    ])
    expect(titlesOf(items)).toMatchObject([
      { session: THREAD, title: 'Early name', rank: 4 },
      { session: THREAD, title: 'Port of atlas', rank: 4 },
    ])
    expect(sessionsOf(items).at(-1)?.context).toEqual({ goal: { objective: 'ship', status: 'active' } })
  })

  it('a history in pages tells prompts and answers by its items', async () => {
    const done = (turnItem: RolloutLine) => event('item_completed', { turn_id: 't', item: turnItem })
    expect(
      await told([
        meta({ history_mode: 'paginated' }),
        started('t'),
        asked('not yours'),
        asked('list them'),
        done({ type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'list them' }] }),
        done({ type: 'Reasoning', id: 'r', summary_text: ['hm'], raw_content: [] }),
        answered('Two.', { id: 'msg_1' }),
        done({ type: 'AgentMessage', id: 'a', content: [{ type: 'Text', text: 'Two.' }] }),
        done({ type: 'CommandExecution', id: 'x', command: ['ls'], exit_code: 0, aggregated_output: 'a' }),
      ]),
    ).toEqual([
      ['system', 'meta', 'not yours'],
      ['user', 'prompt', 'list them'],
      ['assistant', 'reply', ''],
      ['assistant', 'reply', 'Two.'],
      ['tool', 'tool_result', ''],
    ])
  })

  it('a subagent whose task is sealed is called by the name of its task', async () => {
    const spawn = { thread_spawn: { parent_thread_id: 'p', agent_path: '/root/map' } }
    const asks = (said: string) =>
      item('agent_message', { author: '/root', recipient: '/root/map', content: [{ type: 'input_text', text: said }] })
    const envelope = 'Message Type: NEW_TASK\nTask name: /root/map\nSender: /root\nPayload:\n'
    const titles = async (said: string) => titlesOf(await read([meta({ source: { subagent: spawn } }), asks(said), answered('Done.')]))
    expect(await titles(envelope)).toMatchObject([{ title: '/root/map', rank: 2 }])
    expect(await titles(`${envelope}Map the module`)).toEqual([])
  })

  it('a picture in a prompt that only a page tells leaves its fingerprint', async () => {
    const data = Buffer.alloc(600, 7)
    const content = [
      { type: 'text', text: 'what is this?' },
      { type: 'image', image_url: `data:image/png;base64,${data.toString('base64')}` },
    ]
    const done = event('item_completed', { turn_id: 't', item: { type: 'UserMessage', id: 'u', content } })
    const [prompt] = messagesOf(await read([meta({ history_mode: 'paginated' }), started('t'), done, answered('A cat.')]))
    const print = { sha256: sha256(data), bytes: 600, media_type: 'image/png' }
    expect(prompt).toMatchObject({ kind: 'prompt', text: 'what is this?', metadata: { images: [{ type: 'image', image_url: print }] } })
  })

  it('kinds that nobody knows are counted by name; bad lines cost themselves only', async () => {
    const items = await read([meta(), asked('go'), line('holo', {}), event('quantum'), item('telepathy', {}), '{"broken', answered('ok')])
    expect(items.filter((one) => one.type === 'unknown').map((one) => one.name)).toEqual([
      'holo',
      'event_msg/quantum',
      'response_item/telepathy',
    ])
    expect(items.filter((one) => one.type === 'bad_line')).toEqual([{ type: 'bad_line', line: 6, reason: 'not JSON' }])
    expect(messagesOf(items).map((message) => message.text)).toEqual(['go', 'ok'])
  })
})

describe('old files', () => {
  const header = { id: THREAD, timestamp: '2025-07-01T09:00:00.000Z', instructions: 'long '.repeat(200), git: { branch: 'main' } }
  const items = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<user_instructions>\nx\n</user_instructions>' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: '{"output":"x","metadata":{"exit_code":0}}' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
  ]
  const expected = [
    ['system', 'meta', '<user_instructions>\nx\n</user_instructions>'],
    ['user', 'prompt', 'hello'],
    ['assistant', 'reply', ''],
    ['assistant', 'reply', ''],
    ['tool', 'tool_result', ''],
    ['assistant', 'reply', 'hi'],
  ]

  it('flat lines have the time of their header', async () => {
    const lines = [header, { record_type: 'state' }, ...items.slice(0, 3), { record_type: 'state' }, ...items.slice(3)]
    expect(await told(lines)).toEqual(expected)
    const all = await read(lines)
    expect(new Set(messagesOf(all).map((message) => message.timestamp))).toEqual(new Set([Date.UTC(2025, 6, 1, 9)]))
    expect(sessionsOf(all)[0]).toMatchObject({ session: THREAD, context: { git_branch: 'main' }, raw: { instructions: { bytes: 1002 } } })
  })

  it('a single document gives the same', async () => {
    const path = file([{ session: header, items }], `rollout-2025-04-20-${THREAD}.json`)
    const all = await collectItems(adapter, path)
    expect(messagesOf(all).map(({ role, kind, text }) => [role, kind, text])).toEqual(expected)
    expect(all.at(-1)).toEqual({ type: 'checkpoint', offset: unitOf(path).size, carry: null })
    await expect(collectItems(adapter, file(['{"session":'], 'rollout-x.json'))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(collectItems(adapter, file(['{"a":1}'], 'rollout-x.json'))).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })
})

describe('age', () => {
  it('is the first time in the file; what was made from another thread comes behind', async () => {
    const own = file([meta(), asked('a')])
    const fork = file([meta({ forked_from_id: 'x' })])
    const times = [await adapter.age?.(unitOf(own), fileReader(), 'begin'), await adapter.age?.(unitOf(fork), fileReader(), 'begin')]
    expect(times.map((time) => (time ?? 0) % 1)).toEqual([0, 0.5])
    expect(await adapter.age?.(unitOf(own), fileReader(), 'end')).toBeGreaterThan(times[0] ?? 0)
  })
})
