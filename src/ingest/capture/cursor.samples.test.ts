import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import type { MessageRecord } from '../../ledgers/agent-record.ts'
import type { ReadItem } from '../adapter.ts'
import { cursor } from './cursor.ts'

const root = resolve('../shared/fixtures/cursor')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public Cursor samples are not on this machine\n')

interface Outcome {
  readonly path: string
  readonly items: readonly ReadItem[]
  readonly code?: string
}

async function readAll(): Promise<Outcome[]> {
  const adapter = cursor({ paths: [root] })
  const outcomes: Outcome[] = []
  for await (const { path } of adapter.discover({ warn: () => {} })) {
    const name = relative(root, path)
    try {
      outcomes.push({ path: name, items: await collectItems(adapter, path) })
    } catch (error) {
      outcomes.push({ path: name, items: [], code: (error as { code: string }).code })
    }
  }
  return outcomes
}

// Independent reference parser.
interface RawBlock {
  type?: string
  text?: string
  content?: unknown
}

function rawTexts(path: string, role: string): string[] {
  const lines = readFileSync(resolve(root, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines
    .map((line) => JSON.parse(line) as { role?: string; message?: { content: RawBlock[] } })
    .filter((line) => line.role === role)
    .map((line) => (line.message?.content ?? []).filter((block) => block.type === 'text').map((block) => block.text ?? ''))
    .map((texts) => texts.filter((text) => text !== '[REDACTED]').join('\n\n'))
    .map((text) => (text.startsWith('<user_query>\n') ? text.slice(13, -14) : text))
    .filter((text) => text !== '')
}

function itemOf(path: string, key: string): never {
  const db = new Database(resolve(root, path), { readonly: true })
  const value = db.prepare('select value from ItemTable where key = ?').pluck().get(key)
  db.close()
  return JSON.parse(String(value)) as never
}

const spoken = (items: readonly ReadItem[], role: MessageRecord['role']) =>
  messagesOf(items)
    .filter((message) => message.role === role && message.text !== '')
    .map((message) => message.text)

describe.skipIf(!present)('the public samples', async () => {
  const outcomes = present ? await readAll() : []
  const itemsOf = (path: string) => outcomes.find((outcome) => outcome.path === path)?.items ?? []

  it('every database and transcript is read; none is refused', () => {
    expect(outcomes.length).toBe(18)
    expect(outcomes.filter(({ code }) => code !== undefined)).toEqual([])
  })

  it('a dump of rows by another tool is refused as another format', async () => {
    const path = resolve(root, 'slevin48-ws-2024-11/datasette-export.json')
    await expect(collectItems(cursor({ paths: [] }), path)).rejects.toMatchObject({ code: 'NOT_THIS_FORMAT' })
  })

  it('a file gives messages, or a warning that it has none', () => {
    const silent = outcomes.filter(({ items }) => messagesOf(items).length === 0)
    expect(silent.map(({ path }) => path)).toEqual(['agent-sessions/t-test-store.db', 's2thend/transcripts/empty.jsonl'])
    for (const { items } of silent) expect(items.some((item) => item.type === 'warning')).toBe(true)
  })

  it('nothing is unknown but the block that a sample made up, and no row is bad', () => {
    const items = outcomes.flatMap((outcome) => outcome.items)
    expect(items.filter((item) => item.type === 'unknown')).toEqual([{ type: 'unknown', name: 'block custom_block' }])
    expect(items.filter((item) => item.type === 'bad_line')).toEqual([])
  })

  it('the text of every transcript is the text of the source, character by character', () => {
    let texts = 0
    for (const { path, items } of outcomes.filter((outcome) => outcome.path.endsWith('.jsonl'))) {
      const lines = readFileSync(resolve(root, path), 'utf8')
      if (lines.includes('"type":"error"')) continue
      expect(spoken(items, 'user'), path).toEqual(rawTexts(path, 'user'))
      expect(spoken(items, 'assistant'), path).toEqual(rawTexts(path, 'assistant'))
      texts += spoken(items, 'user').length + spoken(items, 'assistant').length
    }
    expect(texts).toBeGreaterThan(25)
  })

  it('every call of a transcript is there with its parameters, and every result with its text', () => {
    for (const { path, items } of outcomes.filter((outcome) => outcome.path.endsWith('.jsonl'))) {
      const raw = readFileSync(resolve(root, path), 'utf8')
      const calls = messagesOf(items).flatMap((message) => message.toolCalls ?? [])
      const results = messagesOf(items).flatMap((message) => message.toolResults ?? [])
      expect(calls.length, path).toBe(raw.match(/"type":"tool_(?:use|call)"/g)?.length ?? 0)
      for (const call of calls) expect(raw).toContain(`"name":"${call.name}","input":${call.params}`)
      expect(results.length, path).toBe(raw.match(/"type":"tool[_-]result"/g)?.length ?? 0)
      for (const result of results) {
        expect(
          calls.some((call) => call.id === result.callId),
          path,
        ).toBe(true)
        expect(raw).toContain(JSON.stringify(JSON.parse(result.result).content))
      }
    }
  })

  it('the workspace of 2024 gives every sent bubble of its tabs and composers, character by character', () => {
    const path = 'slevin48-ws-2024-11/state.vscdb'
    const { tabs } = itemOf(path, 'workbench.panel.aichat.view.aichat.chatdata') as {
      tabs: { tabId: string; chatTitle: string; bubbles: { type: string; text?: string; rawText?: string }[] }[]
    }
    const { allComposers } = itemOf(path, 'composer.composerData') as {
      allComposers: { composerId: string; createdAt: number; conversation: { type: number; text: string }[] }[]
    }
    const items = itemsOf(path)
    const saidIn = (session: string) => messagesOf(items).filter((message) => message.session === session)
    let messages = 0
    for (const { tabId, bubbles } of tabs) {
      const sent = bubbles.filter(({ type, text }) => type === 'ai' || (text ?? '') !== '')
      if (sent.length === 0) continue
      expect(saidIn(tabId).map(({ text }) => text)).toEqual(sent.map(({ text, rawText }) => text ?? rawText))
      expect(saidIn(tabId).map(({ role }) => role)).toEqual(sent.map(({ type }) => (type === 'ai' ? 'assistant' : 'user')))
      messages += sent.length
    }
    for (const { composerId, conversation } of allComposers) {
      expect(saidIn(composerId).map(({ text }) => text)).toEqual(conversation.map(({ text }) => text))
      messages += conversation.length
    }
    expect(messagesOf(items).length).toBe(messages)
    expect(sessionsOf(items).length).toBe(31)
    expect(titlesOf(items).length).toBe(12)
  })

  it('every bare prompt of the workspace stands in one of its conversations', () => {
    const path = 'slevin48-ws-2024-11/state.vscdb'
    const prompts = itemOf(path, 'aiService.prompts') as { text: string }[]
    const told = new Set(spoken(itemsOf(path), 'user').map((text) => text.trim()))
    expect(prompts.length).toBe(66)
    for (const { text } of prompts) expect(told.has(text.trim())).toBe(true)
  })

  it('the composer with a NULL row, a foreign name and an empty one is told in the order of its headers', () => {
    const items = itemsOf('s2thend/composer-global-state.vscdb')
    const db = new Database(resolve(root, 's2thend/composer-global-state.vscdb'), { readonly: true })
    const rows = db.prepare("select key, value from cursorDiskKV where key like 'bubbleId:%'").all() as {
      key: string
      value: string | null
    }[]
    db.close()
    const order = ['native-user', 'synthetic-collision', 'fallback-assistant', 'native-tool-read', 'native-tool-search', 'empty-id-row']
    const texts = order.map((name) => JSON.parse(rows.find(({ key }) => key.includes(`:${name}`))?.value ?? '{}').text ?? '')
    expect(messagesOf(items).map(({ text }) => text)).toEqual(texts)
    expect(items.filter((item) => item.type === 'warning').length).toBe(1)
    expect(sessionsOf(items)[0]?.project).toBe('/fixture/v016/project')
  })

  it('each file is recognised by its beginning, but for those that say nothing', () => {
    const adapter = cursor({ paths: [] })
    const unsure = outcomes.filter(({ path }) => {
      const head = readFileSync(resolve(root, path)).subarray(0, 65536)
      return !adapter.recognises(head, resolve(root, path))
    })
    expect(unsure.map(({ path }) => path)).toEqual(['s2thend/transcripts/empty.jsonl', 's2thend/transcripts/error-only.jsonl'])
  })
})
