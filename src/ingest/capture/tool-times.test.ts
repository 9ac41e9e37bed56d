/** Tool times and providers, only if the source states them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { SAMPLE_SOURCES } from '../../../test/helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { Adapter } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'

async function imported(adapter: Adapter, path: string) {
  const store = await tempStore()
  await syncSources({
    ...{ store, adapters: [adapter], path, clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  const calls = await store.read.selectFrom('agent_tool_calls').select(['started_at', 'completed_at']).orderBy('id').execute()
  const turns = await store.read.selectFrom('agent_turns').select('provider').orderBy('sequence').execute()
  const sessions = await store.read.selectFrom('agent_sessions').select('is_agentic').execute()
  return { calls, providers: turns.map(({ provider }) => provider), agentic: sessions.map(({ is_agentic }) => is_agentic) }
}

function written(path: string, text: string): string {
  const file = join(tempFolder(), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const iso = (offset: number) => new Date(NOON + offset).toISOString()

it('codex: an event says how long the tool ran, an item when it began and ended; the header names the provider', async () => {
  const call = (id: string, at: number) => ({
    timestamp: iso(at),
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: '{}', call_id: id },
  })
  const output = (id: string, at: number) => ({
    timestamp: iso(at),
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: id, output: 'ok' },
  })
  const event = (at: number, payload: object) => ({ timestamp: iso(at), type: 'event_msg', payload })
  const ended = { type: 'exec_command_end', call_id: 'call_1', exit_code: 0, duration: { secs: 1, nanos: 500_000_000 } }
  const item = { type: 'CommandExecution', id: 'call_2', exit_code: 0 }
  const path = written(
    'rollout-2026-02-05T12-00-00-019fc8be-3658-7ca3-9e29-000000000000.jsonl',
    lines(
      {
        timestamp: iso(0),
        type: 'session_meta',
        payload: { id: '019fc8be-3658-7ca3-9e29-000000000000', timestamp: iso(0), cwd: '/home/dev/atlas', model_provider: 'openai' },
      },
      {
        timestamp: iso(1),
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run it' }] },
      },
      call('call_1', 1_000),
      event(4_000, ended),
      output('call_1', 4_100),
      call('call_2', 5_000),
      event(9_000, { type: 'item_completed', item, started_at_ms: NOON + 6_000, completed_at_ms: NOON + 8_000 }),
      output('call_2', 9_100),
      {
        timestamp: iso(10_000),
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
      },
    ),
  )
  const { calls, providers, agentic } = await imported(codex(), path)
  expect(calls).toEqual([
    { started_at: NOON + 2_500, completed_at: NOON + 4_000 },
    { started_at: NOON + 6_000, completed_at: NOON + 8_000 },
  ])
  expect([providers, agentic]).toEqual([['openai'], [1]])
})

it('gemini-cli: the call’s own time is its end', async () => {
  const toolCalls = [{ id: 'c', name: 'ls', args: {}, result: [], status: 'success', timestamp: iso(7_000) }]
  const messages = [
    { id: 'u', timestamp: iso(0), type: 'user', content: 'List' },
    { id: 'g', timestamp: iso(2_000), type: 'gemini', content: 'Listed', toolCalls, model: 'gemini-3' },
  ]
  const path = written(
    'session-2026-02-05T12-00-abc.json',
    JSON.stringify({ sessionId: 's', projectHash: 'h', startTime: iso(0), messages }),
  )
  const { calls, providers } = await imported(geminiCli(), path)
  expect(calls).toEqual([{ started_at: NOON + 2_000, completed_at: NOON + 7_000 }])
  expect(providers).toEqual([null]) // the file does not state the provider
})

it('claude-ai: a block says when the call began and when its result was there', async () => {
  const content = [
    { type: 'tool_use', id: 't', name: 'search', input: {}, start_timestamp: iso(1_000), stop_timestamp: iso(2_000) },
    { type: 'tool_result', tool_use_id: 't', content: 'found', start_timestamp: iso(3_000), stop_timestamp: iso(4_000) },
    { type: 'text', text: 'Found it.' },
  ]
  const chat_messages = [
    { uuid: 'm1', sender: 'human', text: 'Find it', content: [], created_at: iso(0) },
    { uuid: 'm2', sender: 'assistant', text: 'Found it.', content, created_at: iso(500) },
  ]
  const path = written(
    'conversations.json',
    JSON.stringify([{ uuid: 'c', name: 'n', created_at: iso(0), updated_at: iso(9_000), chat_messages }]),
  )
  expect((await imported(claudeAi(), path)).calls).toEqual([{ started_at: NOON + 1_000, completed_at: NOON + 4_000 }])
})

it('chatgpt: a run of code says when it began and ended', async () => {
  const at = (offset: number) => (NOON + offset) / 1000
  const node = (id: string, parent: string | null, child: string | null, message: object | null) => [
    id,
    { id, parent, children: child === null ? [] : [child], message: message && { id, weight: 1, metadata: {}, ...message } },
  ]
  const text = (words: string) => ({ content_type: 'text', parts: [words] })
  const run = { status: 'success', run_id: 'r', start_time: at(2_000), end_time: at(5_000) }
  const mapping = Object.fromEntries([
    node('root', null, 'u', null),
    node('u', 'root', 'c', { author: { role: 'user' }, create_time: at(0), content: text('Compute'), recipient: 'all' }),
    node('c', 'u', 'r', {
      ...{ author: { role: 'assistant' }, create_time: at(1_000), recipient: 'python' },
      content: { content_type: 'code', language: 'python', text: '1 + 1' },
    }),
    node('r', 'c', 'a', {
      ...{ author: { role: 'tool', name: 'python' }, create_time: at(1_500), recipient: 'all', metadata: { aggregate_result: run } },
      content: { content_type: 'execution_output', text: '2' },
    }),
    node('a', 'r', null, { author: { role: 'assistant' }, create_time: at(6_000), content: text('Two.'), recipient: 'all' }),
  ])
  const conversation = { title: 't', create_time: at(0), update_time: at(6_000), conversation_id: 'c', current_node: 'a', mapping }
  const { calls } = await imported(chatgpt(), written('conversations.json', JSON.stringify([conversation])))
  expect(calls).toEqual([{ started_at: NOON + 2_000, completed_at: NOON + 5_000 }])
})

it('claude-code: the shape of the answer’s id says who served it; a gateway’s says nothing', async () => {
  const answered = async (id: string, model: string) => {
    const at = { sessionId: 's', cwd: '/home/dev/atlas', isSidechain: false, version: '2.0.0' }
    const path = written(
      's.jsonl',
      lines(
        { ...at, type: 'user', uuid: 'u', parentUuid: null, timestamp: iso(0), message: { role: 'user', content: 'Hello' } },
        {
          ...{ ...at, type: 'assistant', uuid: 'a', parentUuid: 'u', timestamp: iso(1_000) },
          message: { id, type: 'message', role: 'assistant', model, content: [{ type: 'text', text: 'Hi' }] },
        },
      ),
    )
    return (await imported(claudeCode(), path)).providers[0]
  }
  expect(await answered('msg_01AbCdEfGhJkLmNpQrStUvWx', 'claude-opus-4-5')).toBe('anthropic')
  expect(await answered('msg_bdrk_01AbCdEfGhJkLmNpQrStUvWx', 'us.anthropic.claude-opus-4-5')).toBe('bedrock')
  expect(await answered('msg_vrtx_01AbCdEfGhJkLmNpQrStUvWx', 'claude-opus-4-5')).toBe('vertex')
  expect(await answered('msg_01AbCdEfGhJkLmNpQrStUvWx', 'glm-5')).toBeNull()
  expect(await answered('20260205-7f', 'claude-opus-4-5')).toBeNull()
})

const exchanges = [{ prompt: 'q', answer: 'a', at: NOON - 86_400_000, tool: { name: 'ls', params: {}, result: 'r' } }]

it.each(SAMPLE_SOURCES.filter(({ noTools }) => !noTools).map((source) => ({ name: source.name, source })))(
  '$name: a session in which a tool ran is agentic, and no call ends before it began',
  async ({ source }) => {
    const folder = tempFolder()
    source.write(folder, 'one', exchanges)
    const { calls, agentic } = await imported(source.adapter(folder), folder)
    expect(agentic).toEqual([1])
    expect(calls.length).toBeGreaterThan(0)
    for (const { started_at, completed_at } of calls) expect(completed_at ?? Infinity).toBeGreaterThanOrEqual(started_at ?? 0)
  },
)
