import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, sessionsOf } from '../../../test/helpers/collect-items.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Adapter, ReadItem } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { openclaw } from './openclaw.ts'
import { pi } from './pi.ts'

const root = resolve('../shared/fixtures/pi-openclaw')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public pi and OpenClaw samples are not on this machine\n')

const adapters: readonly Adapter[] = [openclaw({ paths: [root] }), pi({ paths: [root] })]

interface Outcome {
  readonly path: string
  readonly adapter: string | undefined
  readonly items: readonly ReadItem[]
  readonly code?: string
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : [path]
  })
}

async function readAll(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const path of files(root)) {
    const head = readFileSync(path).subarray(0, 65536)
    const claimed = adapters.filter((adapter) => adapter.recognises(head, path))
    const adapter = claimed[0] ?? (adapters[1] as Adapter)
    try {
      outcomes.push({ path, adapter: claimed.map(({ name }) => name).join(), items: await collectItems(adapter, path) })
    } catch (error) {
      outcomes.push({ path, adapter: undefined, items: [], code: (error as { code: string }).code })
    }
  }
  return outcomes
}

// Independent reference parser.
interface Raw {
  type: string
  id?: string
  timestamp?: string
  summary?: string
  message?: {
    role: string
    errorMessage?: string
    content?: string | Block[]
    toolCallId?: string
    command?: string
    usage?: { input: number; output: number }
  }
}
interface Block {
  type: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  arguments?: unknown
}

const rawRecords = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Raw)
const blocks = ({ message }: Raw) =>
  typeof message?.content === 'string' ? [{ type: 'text', text: message.content } as Block] : (message?.content ?? [])
/** The model returned nothing. */
const isFailure = (raw: Raw) => raw.message?.errorMessage !== undefined && blocks(raw).every((block) => block.type === 'thinking')
const text = (raw: Raw) =>
  blocks(raw)
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n\n')

describe.skipIf(!present)('the public samples', async () => {
  const outcomes = present ? await readAll() : []
  const read = outcomes.filter((outcome) => outcome.code === undefined)
  const of = (role: string, path: string) => rawRecords(path).filter((raw) => raw.type === 'message' && raw.message?.role === role)

  it('every file is read by its own adapter, or refused with the right reason', () => {
    expect(outcomes.map(({ path, adapter, code }) => [relative(root, path), code ?? adapter]).sort()).toEqual([
      ['agent-sessions/openclaw-large.jsonl', 'openclaw'],
      ['agent-sessions/openclaw-schema_drift.jsonl', 'openclaw'],
      ['agent-sessions/openclaw-small.jsonl', 'openclaw'],
      ['agent-sessions/pi-small.jsonl', 'pi'],
      ['pi-mono/assistant-message-with-thinking-code.json', 'NOT_THIS_FORMAT'],
      ['pi-mono/before-compaction.jsonl', 'pi'],
    ])
    expect(read.every(({ items }) => items.every((item) => item.type !== 'bad_line'))).toBe(true)
  })

  it('nothing is unknown but the one type that is made up', () => {
    const unknown = read.flatMap(({ path, items }) =>
      items.flatMap((item) => (item.type === 'unknown' ? [[relative(root, path), item.name]] : [])),
    )
    expect(unknown).toEqual([['agent-sessions/openclaw-schema_drift.jsonl', 'compact']])
  })

  it('the text of every prompt and every answer is the text of the source, character by character', () => {
    let prompts = 0
    let answers = 0
    for (const { path, items } of read) {
      const said = (kind: string) => messagesOf(items).filter((message) => message.kind === kind)
      expect(
        said('prompt').map((message) => message.text),
        path,
      ).toEqual(of('user', path).map(text))
      expect(
        said('reply').map((message) => message.text),
        path,
      ).toEqual(
        of('assistant', path)
          .filter((raw) => !isFailure(raw))
          .map(text),
      )
      prompts += said('prompt').length
      answers += said('reply').length
    }
    expect([prompts, answers]).toEqual([60, 476])
  })

  it('every call and every result is there, with its parameters and its content', () => {
    let calls = 0
    let results = 0
    for (const { path, items } of read) {
      const made = messagesOf(items).flatMap((message) => message.toolCalls ?? [])
      const raw = rawRecords(path).flatMap((record) => blocks(record).filter((block) => block.type === 'toolCall'))
      expect(
        made.map(({ id, name, params }) => [id, name, JSON.parse(params)]),
        path,
      ).toEqual(raw.map(({ id, name, arguments: given }) => [id, name, given]))
      const given = messagesOf(items).flatMap((message) => message.toolResults ?? [])
      expect(
        given.map(({ callId, result }) => [callId, (JSON.parse(result) as { content: unknown }).content]),
        path,
      ).toEqual(of('toolResult', path).map(({ message }) => [message?.toolCallId, message?.content]))
      calls += made.length
      results += given.length
    }
    expect([calls, results]).toEqual([458, 452])
  })

  it('summaries, commands, thinking and token counts are those of the source', () => {
    for (const { path, items } of read) {
      const messages = messagesOf(items)
      const raw = rawRecords(path)
      expect(messages.filter(({ kind }) => kind === 'summary').map((message) => message.text)).toEqual(
        raw.filter(({ type }) => type === 'compaction').map(({ summary }) => summary),
      )
      expect(messages.filter(({ kind }) => kind === 'command').map((message) => message.text)).toEqual(
        of('bashExecution', path).map(({ message }) => `! ${message?.command}`),
      )
      const thinking = messages.flatMap((message) => (message.blocks ?? []) as Block[]).filter((block) => block.type === 'thinking')
      const thought = raw.flatMap(blocks).filter((block) => block.type === 'thinking')
      expect(thinking.map((block) => block.thinking)).toEqual(thought.map((block) => block.thinking))
      const tokens = messages.map(({ metadata }) => (metadata?.usage as { output_tokens?: number } | undefined)?.output_tokens ?? 0)
      const spent = raw.map(({ message }) => message?.usage?.output ?? 0)
      expect(tokens.reduce((sum, n) => sum + n, 0)).toBe(spent.reduce((sum, n) => sum + n, 0))
    }
  })

  it('the ledger has every message and every call once, and a second sync adds nothing', async () => {
    const store = await tempStore()
    const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
    const sync = async () => (await syncSources({ store, adapters, path: root, byContent: true, ...options })).totals
    expect(await sync()).toMatchObject({ found: 5, imported: 5, quarantined: 0, skipped_lines: 0 })
    const count = async (table: 'agent_messages' | 'agent_tool_calls' | 'agent_compactions') =>
      (await store.read.selectFrom(table).select('id').execute()).length
    const stored = [await count('agent_messages'), await count('agent_tool_calls'), await count('agent_compactions')]
    expect(stored).toEqual([read.flatMap(({ items }) => messagesOf(items)).length, 458, 4])
    expect(await sync()).toMatchObject({ unchanged: 5, records: 0, bytes_read: 0 })
  })

  it('a fork names what it was forked from, and its messages are older than its header', () => {
    const fork = read.find(({ path }) => path.endsWith('before-compaction.jsonl'))
    expect(sessionsOf(fork?.items ?? [])[0]).toMatchObject({
      session: 'ffae836b-9420-4060-ac13-7745215f90ff',
      context: { forked_from: 'd97339c6-6c10-4827-846b-9ff1d9c3dc37', format_version: 1 },
    })
    expect(messagesOf(fork?.items ?? [])[0]?.timestamp).toBeLessThan(Date.parse('2025-12-09T00:53:29.825Z'))
  })

  it('names made for lines without ids are unique, and what is stored is not larger than the source', () => {
    for (const { path, items } of read) {
      const ids = messagesOf(items).map((message) => message.id)
      expect(new Set(ids).size, path).toBe(ids.length)
    }
    const fork = read.find(({ path }) => path.endsWith('before-compaction.jsonl')) as Outcome
    const stored = messagesOf(fork.items).reduce((sum, { text, blocks, metadata, toolCalls, toolResults }) => {
      const parts = [...(toolCalls ?? []).map(({ params }) => params), ...(toolResults ?? []).map(({ result }) => result)]
      return sum + [text, JSON.stringify(blocks) ?? '', JSON.stringify(metadata) ?? '', ...parts].join('').length
    }, 0)
    expect(stored).toBeLessThan(statSync(fork.path).size)
  })
})
