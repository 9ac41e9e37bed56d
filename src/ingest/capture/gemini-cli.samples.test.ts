import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, fileReader, lastCheckpoint, messagesOf, recordsOf } from '../../../test/helpers/collect-items.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import type { ReadItem } from '../adapter.ts'
import { syncSources } from '../sync.ts'
import { geminiCli } from './gemini-cli.ts'

const shared = resolve('../shared/fixtures')
const root = resolve(shared, 'other/gemini-cli')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public Gemini CLI samples are not on this machine\n')

const adapter = geminiCli()
const names = present
  ? readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.jsonl?$/.test(name))
      .sort()
  : []

interface Outcome {
  readonly items: readonly ReadItem[]
  readonly code?: string
}

async function readAll(): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  for (const name of names) {
    try {
      outcomes.set(name, { items: await collectItems(adapter, resolve(root, name)) })
    } catch (error) {
      outcomes.set(name, { items: [], code: (error as { code: string }).code })
    }
  }
  return outcomes
}

// Independent reference parser.
interface Raw {
  id: string
  type: string
  content?: string | { text?: string }[]
  parts?: { text?: string }[]
  toolCalls?: { id?: string; name: string; args: unknown; result?: { functionResponse: { response: { output: string } } }[] }[]
}

function rawMessages(name: string): Raw[] {
  const text = readFileSync(resolve(root, name), 'utf8')
  if (name.endsWith('.json')) return (JSON.parse(text) as { messages: Raw[] }).messages
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Partial<Raw>)
  return records.filter((record): record is Raw => record.id !== undefined)
}

const textOf = ({ content, parts }: Raw) =>
  typeof content === 'string' ? content : (content ?? parts ?? []).map((part) => part.text ?? '').join('')

describe.skipIf(!present)('the public samples of Gemini CLI', async () => {
  const outcomes = present ? await readAll() : new Map<string, Outcome>()
  const read = [...outcomes].filter(([, { code }]) => code === undefined)

  it('every file is read, or refused with the right reason', () => {
    expect(outcomes.size).toBe(12)
    expect([...outcomes].filter(([, { code }]) => code !== undefined).map(([name, { code }]) => [name, code])).toEqual([
      ['agent-sessions/schema_drift.json', 'NOT_THIS_FORMAT'],
    ])
    for (const [, { items }] of read) expect(items.filter(({ type }) => type === 'bad_line' || type === 'unknown')).toEqual([])
  })

  it('the files that are read are those that are found by their content', async () => {
    const found: string[] = []
    for await (const { path } of adapter.discover({ path: root, warn: () => {}, reader: fileReader() })) found.push(relative(root, path))
    expect(found.sort()).toEqual(read.map(([name]) => name))
  })

  it('the text and the speaker of every message are those of the source, character by character', () => {
    let messages = 0
    for (const [name, { items }] of read) {
      const told = messagesOf(items)
      const raw = rawMessages(name)
      expect(
        told.map(({ id, text }) => [id, text]),
        name,
      ).toEqual(raw.map((one) => [one.id, textOf(one)]))
      const kinds: Record<string, string> = { user: 'prompt', gemini: 'reply', model: 'reply' }
      expect(told.map(({ kind }) => kind)).toEqual(raw.map(({ type }) => kinds[type] ?? 'notice'))
      messages += told.length
    }
    expect(messages).toBe(44)
  })

  it('every call and every result is there', () => {
    const counts = { calls: 0, results: 0 }
    for (const [name, { items }] of read) {
      const told = messagesOf(items).flatMap((message) => message.toolCalls ?? [])
      const given = new Map(
        messagesOf(items)
          .flatMap((message) => message.toolResults ?? [])
          .map((result) => [result.callId, result]),
      )
      const raw = rawMessages(name).flatMap((message) => message.toolCalls ?? [])
      expect(told.map(({ name: tool, params }) => [tool, JSON.parse(params)])).toEqual(raw.map((call) => [call.name, call.args]))
      counts.calls += told.length
      for (const { id, result } of raw) {
        const output = result?.[0]?.functionResponse.response.output
        if (output === undefined) continue
        expect(JSON.parse(given.get(id ?? '')?.result ?? '{}').content).toBe(output)
        counts.results += 1
      }
    }
    expect(counts).toEqual({ calls: 18, results: 17 })
  })

  it('a document that grew gives its messages under the same names; the last one had gained a call since', async () => {
    const early = outcomes.get('entire/f7633853-t0-3msgs.json')?.items ?? []
    const since = { offset: 0, carry: lastCheckpoint(early)?.carry }
    const late = await collectItems(adapter, resolve(root, 'entire/f7633853-t2-13msgs.json'), { since })
    const before = messagesOf(early)
    const after = messagesOf(late)
    expect(after).toHaveLength(13)
    expect(after.slice(0, 3).map(({ id, text }) => [id, text])).toEqual(before.map(({ id, text }) => [id, text]))
    expect(after.slice(0, 3).map(({ hash }, n) => hash === before[n]?.hash)).toEqual([true, true, false])
    expect([before[2]?.toolCalls, after[2]?.toolCalls?.length]).toEqual([undefined, 1])
    expect(recordsOf(late).some(({ type }) => type === 'head')).toBe(false)
  })

  it('the same through the ledger: thirteen messages, and every call once', async () => {
    const store = await tempStore()
    const path = join(tempFolder(), 'session.json')
    for (const name of ['entire/f7633853-t0-3msgs.json', 'entire/f7633853-t2-13msgs.json']) {
      writeFileSync(path, readFileSync(resolve(root, name)))
      const options = { clock: () => NOON, quietMs: 1, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
      await syncSources({ store, adapters: [adapter], path, ...options })
    }
    const texts = await store.read.selectFrom('agent_messages').select('content').orderBy('sequence').execute()
    expect(texts.map(({ content }) => content)).toEqual(rawMessages('entire/f7633853-t2-13msgs.json').map(textOf))
    const calls = await store.read.selectFrom('agent_tool_calls').select('native_id').execute()
    const raw = rawMessages('entire/f7633853-t2-13msgs.json').flatMap((message) => message.toolCalls ?? [])
    expect(calls.map((call) => call.native_id).sort()).toEqual(raw.map(({ id }) => id).sort())
  })

  it('no file of another harness is claimed', () => {
    for (const name of readdirSync(shared, { recursive: true, encoding: 'utf8' })) {
      if (name.startsWith('other/gemini-cli') || !/\.jsonl?$/.test(name)) continue
      const head = readFileSync(resolve(shared, name)).subarray(0, 64 << 10)
      expect(adapter.recognises(head, resolve(shared, name)), name).toBe(false)
    }
  })
})
