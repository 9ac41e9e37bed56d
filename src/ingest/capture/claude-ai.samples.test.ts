import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import type { ReadItem } from '../adapter.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'

const root = resolve('../shared/fixtures/claude-ai')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public Claude.ai samples are not on this machine\n')

const adapter = claudeAi({ paths: [root] })

async function readAll(): Promise<{ path: string; items: ReadItem[] }[]> {
  const outcomes: { path: string; items: ReadItem[] }[] = []
  for await (const { path } of adapter.discover({ warn: () => {} })) outcomes.push({ path, items: await collectItems(adapter, path) })
  return outcomes
}

// Independent reference parser.
interface Raw {
  uuid: string
  name: string
  chat_messages?: {
    uuid: string
    sender: string
    text: string
    created_at: string
    parent_message_uuid?: string
    content?: string | { type: string; text?: unknown; input?: unknown; content?: unknown; thinking?: string }[] | null
    attachments?: { extracted_content?: string; file_name: string }[]
  }[]
}

function rawConversations(path: string): Raw[] {
  const value = JSON.parse(readFileSync(path, 'utf8')) as Raw | Raw[]
  return (Array.isArray(value) ? value : [value]).filter((one) => one.chat_messages !== undefined)
}

function rawText({ content, text }: NonNullable<Raw['chat_messages']>[number]): string {
  if (typeof content === 'string') return content
  const texts = (content ?? []).filter((block) => block.type === 'text' && typeof block.text === 'string').map((block) => block.text)
  return texts.length > 0 ? texts.join('\n\n') : text
}

describe.skipIf(!present)('the public samples', async () => {
  const outcomes = present ? await readAll() : []

  it('every file is read, and claimed by this adapter and not by its neighbour', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(12)
    for (const { path } of outcomes) {
      const head = readFileSync(path).subarray(0, 64 << 10)
      expect([path, adapter.recognises(head, path), chatgpt().recognises(head, path)]).toEqual([path, true, false])
    }
  })

  it('what holds no conversations gives none, and says what it is', () => {
    const silent = outcomes.filter(({ items }) => messagesOf(items).length === 0)
    const said = silent.map(({ path, items }) => [
      relative(root, path).replace(/[^/]+fixtureproj0/, '*'),
      items.flatMap((item) => (item.type === 'warning' ? [item.message.replace(/^.* holds /, '')] : [])).join(),
    ])
    expect(said).toEqual([
      ['phdb/memories.json', "Claude's own memory, no conversations"],
      ['phdb/projects/*.json', 'projects, no conversations'],
      ['phdb/users.json', 'the account, no conversations'],
    ])
  })

  it('every message is there with its text, character by character, its sender and its time', () => {
    let count = 0
    for (const { path, items } of outcomes) {
      const told = messagesOf(items).filter((message) => message.kind !== 'attachment')
      const raw = rawConversations(path).flatMap((one) => (one.chat_messages ?? []).map((message) => ({ session: one.uuid, message })))
      expect(
        told.map(({ session, id, role, text, timestamp }) => ({ session, id, role, text, timestamp })),
        path,
      ).toEqual(
        raw.map(({ session, message }) => ({
          session,
          id: message.uuid,
          role: message.sender === 'human' ? 'user' : 'assistant',
          text: rawText(message),
          timestamp: Math.floor(new Date(message.created_at).getTime()),
        })),
      )
      count += told.length
    }
    expect(count).toBe(89)
  })

  it('every parent, call, result and attached text is the source’s', () => {
    const counts = { calls: 0, results: 0, attached: 0 }
    for (const { path, items } of outcomes) {
      const messages = messagesOf(items)
      const raw = rawConversations(path).flatMap((one) => one.chat_messages ?? [])
      const blocks = raw.flatMap((message) => (Array.isArray(message.content) ? message.content : []))
      const calls = messages.flatMap((message) => message.toolCalls ?? [])
      const results = messages.flatMap((message) => message.toolResults ?? [])
      const attached = messages.filter((message) => message.kind === 'attachment').map((message) => message.text)
      expect(calls.map((call) => JSON.parse(call.params))).toEqual(
        blocks.filter((block) => block.type === 'tool_use').map((block) => block.input),
      )
      expect(results.map(({ result }) => (JSON.parse(result) as { content: unknown }).content)).toEqual(
        blocks.filter((block) => block.type === 'tool_result').map((block) => block.content),
      )
      expect(attached).toEqual(raw.flatMap((message) => (message.attachments ?? []).flatMap((one) => one.extracted_content || [])))
      for (const message of messages) {
        const parent = raw.find((one) => one.uuid === message.id)?.parent_message_uuid
        if (parent !== undefined && raw.some((one) => one.uuid === parent)) expect(message.parent?.split('#')[0]).toBe(parent)
      }
      counts.calls += calls.length
      counts.results += results.length
      counts.attached += attached.length
    }
    expect(counts).toEqual({ calls: 5, results: 2, attached: 1 })
  })

  it('every conversation is a session with its name', () => {
    for (const { path, items } of outcomes) {
      const raw = rawConversations(path)
      expect(sessionsOf(items).map((session) => session.session)).toEqual(raw.map((one) => one.uuid))
      expect(titlesOf(items).map((title) => title.title)).toEqual(raw.map((one) => one.name))
    }
  })

  it('names the blocks that nobody knows, and no others', () => {
    const unknown = outcomes.flatMap(({ items }) => items.flatMap((item) => (item.type === 'unknown' ? [item.name] : [])))
    expect(unknown.sort()).toEqual(['content text/markdown', 'content unknown_type'])
  })
})
