import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf } from '../../../test/helpers/collect-items.ts'
import { codexSource } from '../../../test/helpers/sources/codex.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { ReadItem } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { codex } from './codex.ts'

const root = resolve('../shared/fixtures/codex')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public Codex samples are not on this machine\n')

// Independent reference parser.
type Entry = readonly [what: 'said' | 'text' | 'thought' | 'call' | 'result', ...facts: unknown[]]
interface Raw {
  type?: string
  payload?: Record<string, unknown>
}

function rawLines(path: string): Raw[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Raw]
      } catch {
        return []
      }
    })
}

const partsOf = (content: unknown) => (content as { text?: string }[]).flatMap((part) => (part.text === undefined ? [] : [part.text]))
const request = (text: string) =>
  text.includes('## My request for Codex:\n') ? (text.split('## My request for Codex:\n')[1] as string) : text

/** Joins calls and results by id, or by adjacency. */
function entriesOf(payload: Record<string, unknown>, names: Map<unknown, string>): Entry[] {
  const { type, role, content, call_id, name, summary } = payload
  if (type === 'message' && role === 'assistant') return partsOf(content).map((text) => ['text', text])
  if (type === 'message' || type === 'agent_message') return [['said', partsOf(content).join('\n\n')]]
  if (type === 'reasoning') return [['thought', (summary as { text: string }[]).map((part) => part.text)]]
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'tool_call') {
    const tool = String(name ?? (payload.function as { name: string }).name)
    names.set(call_id, tool)
    const params = type === 'function_call' ? JSON.parse(payload.arguments as string) : (payload.input ?? payload.arguments)
    return [['call', tool, params]]
  }
  if (/_output$|^tool_result$/.test(String(type))) return [['result', names.get(call_id), payload.output ?? payload.result]]
  return []
}

function independent(path: string): Entry[] {
  const lines = rawLines(path)
  const items = lines.filter((line) => line.type === 'response_item').map((line) => line.payload ?? {})
  const told = new Set(
    items.flatMap((item) => (item.type === 'message' ? [...partsOf(item.content), partsOf(item.content).join('\n\n')] : [])),
  )
  const thought = new Set(items.flatMap((item) => (item.type === 'reasoning' ? partsOf(item.summary) : [])))
  const names = new Map<unknown, string>()
  return lines.flatMap(({ type, payload = {} }): Entry[] => {
    if (type === 'response_item') return entriesOf(payload, names)
    if (type !== 'event_msg') return []
    // Events count only if no item says the same.
    if (payload.type === 'user_message' && !told.has(String(payload.message))) return [['said', request(String(payload.message))]]
    if (payload.type === 'agent_message' && !told.has(String(payload.message))) return [['text', payload.message]]
    if (payload.type === 'agent_reasoning' && !thought.has(String(payload.text))) return [['thought', [payload.text]]]
    return []
  })
}

/** The same list, rebuilt from the ledger. */
async function rebuilt(dir: string, thread: string): Promise<Entry[]> {
  const store = await tempStore()
  await syncSources({
    store,
    adapters: [codex({ paths: [dir] })],
    clock: () => NOON,
    quietMs: 7_200_000,
    ignore: () => false,
    guard: async () => {},
    afterGroup: async () => {},
  })
  const id = `codex:${thread}`
  const messages = await store.read.selectFrom('agent_messages').selectAll().where('session_id', '=', id).orderBy('sequence').execute()
  const calls = await store.read.selectFrom('agent_tool_calls').selectAll().where('session_id', '=', id).execute()
  return messages.flatMap((message): Entry[] => {
    const { blocks = [], event } = JSON.parse(message.metadata_json ?? '{}') as { blocks?: Record<string, unknown>[]; event?: string }
    if (message.role === 'tool') {
      const call = calls.find((one) => one.result_message_id === message.id)
      // A call known only from an event is one message with its result.
      if (call?.message_id === message.id) return []
      return [['result', call?.tool_name, (JSON.parse(call?.result_json ?? '{}') as { content: unknown }).content]]
    }
    if (message.role !== 'assistant') return event === undefined ? [['said', message.content]] : []
    let from = 0
    return blocks.map((block): Entry => {
      if (block.type === 'reasoning') return ['thought', block.summary ?? []]
      if (block.type === 'tool_use') {
        const call = calls.find((one) => one.native_id === block.id)
        return ['call', call?.tool_name, JSON.parse(call?.params_json ?? 'null')]
      }
      const text = (message.content ?? '').slice(from, from + (block.length as number))
      from += text.length + 2
      return ['text', text]
    })
  })
}

it('from the ledger alone one can rebuild what was said and done, in order, with parameters, results and their links', async () => {
  const dir = tempFolder()
  const path = codexSource.write(
    dir,
    'one',
    Array.from({ length: 5 }, (_, n) => ({
      prompt: `Question ${n}\nwith é and 👩‍👩‍👧`,
      answer: `Answer ${n}\n\nin two parts`,
      at: NOON - 86_400_000 + n * 60_000,
      ...(n % 2 === 0 ? { tool: { name: 'read_file', params: { path: `${n}.toml`, n }, result: `port = ${n}` } } : {}),
    })),
  )
  const thread = /rollout-.{19}-(.*)\.jsonl/.exec(path)?.[1] as string
  const expected = independent(path)
  expect(expected.map(([what]) => what).join(' ')).toContain('said thought call result text')
  expect(await rebuilt(dir, thread)).toEqual(expected)
})

describe.skipIf(!present)('the public samples', async () => {
  const adapter = codex({ paths: [root] })
  const outcomes: { path: string; items: readonly ReadItem[]; code?: string }[] = []
  if (present) {
    for await (const { path } of adapter.discover({ warn: () => {} })) {
      try {
        outcomes.push({ path, items: await collectItems(adapter, path) })
      } catch (error) {
        outcomes.push({ path, items: [], code: (error as { code: string }).code })
      }
    }
  }
  const itemsOf = (name: string) => outcomes.find(({ path }) => path.includes(name))?.items ?? []

  it('every file is read or refused with a code', () => {
    expect(outcomes.map(({ path, code }) => [relative(root, path).replace(/rollout-.*(?=....\.jsonl)/, ''), code ?? 'read'])).toEqual([
      ['agent-sessions/codex_050_legacy.jsonl', 'read'],
      ['agent-sessions/codex_051_usage.jsonl', 'read'],
      ['agent-sessions/codex_052_raw.jsonl', 'read'],
      ['agent-sessions/codex_053_rate_limit.jsonl', 'read'],
      ['agent-sessions/large.jsonl', 'read'],
      ['agent-sessions/schema_drift.jsonl', 'NOT_THIS_FORMAT'],
      ['agent-sessions/session_branch.jsonl', 'NOT_THIS_FORMAT'],
      ['agent-sessions/session_simple.jsonl', 'NOT_THIS_FORMAT'],
      ['agent-sessions/session_toolcall.jsonl', 'NOT_THIS_FORMAT'],
      ['agent-sessions/small.jsonl', 'read'],
      ['dialoglingo/archived_sessions/ived.jsonl', 'read'],
      ['gbrain/codex-rollout.jsonl', 'read'],
      ['openai/oss-story.tui-log.jsonl', 'NOT_THIS_FORMAT'],
      ['resume/session_index.jsonl', 'NOT_THIS_FORMAT'],
      ['rungraph/0003.jsonl', 'read'],
      ['rungraph/0001.jsonl', 'read'],
      ['rungraph/0002.jsonl', 'read'],
      ['rungraph/c41d.jsonl', 'read'],
      ['rungraph/c42d.jsonl', 'read'],
    ])
  })

  it('what is refused is not recognised, what is read is', () => {
    for (const { path, code } of outcomes)
      expect([path, adapter.recognises(readFileSync(path).subarray(0, 65_536), path)]).toEqual([path, code === undefined])
  })

  it('a file gives messages, or a warning that it has none', () => {
    for (const { items, code } of outcomes) {
      if (code === undefined) expect(items.some((item) => item.type === 'warning')).toBe(messagesOf(items).length === 0)
    }
  })

  it('nothing is unknown but what is made up', () => {
    const unknown = outcomes.flatMap(({ items }) => items.flatMap((item) => (item.type === 'unknown' ? [item.name] : [])))
    expect([...new Set(unknown)].sort()).toEqual([
      'event_msg/account/rateLimits/updated',
      'event_msg/codex/event/raw_item',
      'event_msg/quantum_status',
      'event_msg/turn.completed',
      'holo-sync',
    ])
    const bad = outcomes.flatMap(({ items }) => items.filter((item) => item.type === 'bad_line'))
    expect(bad).toEqual([{ type: 'bad_line', line: 16, reason: 'not JSON' }])
  })

  it('prompts are what a person typed: the injected texts are none', () => {
    const prompts = (name: string) =>
      messagesOf(itemsOf(name))
        .filter((message) => message.kind === 'prompt')
        .map((message) => message.text)
    expect(prompts('gbrain')).toEqual([
      'Remind me: which fund led the widget-co seed round?',
      'Great. Note that the bridge check-in is every Thursday.',
    ])
    expect(prompts('000000000001.jsonl')).toEqual(['Add input validation to the signup form', 'Run the form tests'])
    expect(prompts('large.jsonl')).toEqual(['Start', 'Step 1', 'Step 2', 'Step 3', 'Step 4', 'Step 5'])
    expect(prompts('archived')).toEqual(['旧会话：解释 graceful shutdown。'])
  })

  it.each([
    ['agent-sessions/large.jsonl', '019b2ea4-aaaa-bbbb-cccc-58208e1f0000'],
    ['dialoglingo', 'sess-codex-archived'],
    ['gbrain', 'rollout-1'],
    ['rungraph', 'c1c1c1c1-0000-7000-8000-000000000001'],
    ['rungraph', 'c2c2c2c2-0000-7000-8000-000000000002'],
    ['rungraph', 'c3c3c3c3-0000-7000-8000-000000000003'],
    ['rungraph', 'c2c2c2c2-0000-7000-8000-00000000c41d'],
    ['rungraph', 'c2c2c2c2-0000-7000-8000-00000000c42d'],
  ])('%s: %s is rebuilt from the ledger, character by character', async (under, thread) => {
    const dir = join(root, under)
    const path = under.endsWith('.jsonl') ? dir : filesBelow(dir).find((file) => file.includes(thread) || under === 'gbrain')
    // The copied prompt belongs to the parent.
    const copied = thread.endsWith('c41d') ? 'Map the auth module, then fix the session bug' : undefined
    const expected = independent(path as string).filter(([, text]) => copied === undefined || text !== copied)
    expect(expected.length).toBeGreaterThan(1)
    expect(sortedRuns(await rebuilt(dir, thread))).toEqual(sortedRuns(expected))
  })

  it('no sealed text is stored', () => {
    for (const { items } of outcomes)
      expect(/"encrypted_content":"/.test(JSON.stringify(messagesOf(items).map((message) => message.blocks)))).toBe(false)
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

/** If event and item differ, their order is arbitrary. */
function sortedRuns(entries: readonly Entry[]): string[] {
  const runs: string[][] = []
  for (const entry of entries) {
    const text = JSON.stringify(entry)
    const run = runs.at(-1)
    if (entry[0] === 'said' && run?.[0]?.startsWith('["said"')) run.push(text)
    else runs.push([text])
  }
  return runs.flatMap((run) => run.sort())
}
