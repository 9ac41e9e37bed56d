import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf, recordsOf, sessionsOf, titlesOf } from '../../../test/helpers/collect-items.ts'
import type { ReadItem } from '../adapter.ts'
import { walk } from '../walk.ts'
import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'

const root = resolve('../shared/fixtures/chatgpt')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public ChatGPT samples are not on this machine\n')

const adapter = chatgpt({ paths: [root] })

async function readAll(): Promise<{ path: string; items: ReadItem[] }[]> {
  const outcomes: { path: string; items: ReadItem[] }[] = []
  for await (const { path } of adapter.discover({ warn: () => {} })) outcomes.push({ path, items: await collectItems(adapter, path) })
  return outcomes
}

// Independent reference parser.
interface Raw {
  id: string
  title: string
  current_node?: string
  mapping: Record<
    string,
    {
      parent?: string | null
      message: {
        id: string
        author: { role: string }
        create_time: number
        content: { parts: string[] }
        metadata: { model_slug?: string }
      } | null
    }
  >
}

const rawConversations = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Raw[]

describe.skipIf(!present)('the public samples', async () => {
  const outcomes = present ? await readAll() : []

  it('every file is read without a word, and claimed by this adapter and not by its neighbour', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(2)
    for (const { path, items } of outcomes) {
      const head = readFileSync(path).subarray(0, 64 << 10)
      expect([path, adapter.recognises(head, path), claudeAi().recognises(head, path)]).toEqual([path, true, false])
      expect(items.filter((item) => item.type !== 'record' && item.type !== 'checkpoint')).toEqual([])
    }
  })

  it('every message is there with its text, character by character, its author, time, model and parent', () => {
    let count = 0
    for (const { path, items } of outcomes) {
      const told = messagesOf(items).map(({ session, id, role, text, timestamp, model, parent }) => ({
        session,
        id,
        role,
        text,
        timestamp,
        model,
        parent,
      }))
      const expected = rawConversations(path).flatMap(({ id: session, mapping }) =>
        Object.values(mapping).flatMap(({ message, parent }) =>
          message === null
            ? []
            : {
                session,
                id: message.id,
                role: message.author.role,
                text: message.content.parts.join(''),
                timestamp: Math.floor(message.create_time * 1000),
                model: message.author.role === 'assistant' ? message.metadata.model_slug : undefined,
                parent: mapping[parent ?? '']?.message?.id,
              },
        ),
      )
      expect(told, path).toEqual(expected)
      count += told.length
    }
    expect(count).toBe(40)
  })

  it('every conversation has its title, and stands at its current node or at its newest leaf', () => {
    for (const { path, items } of outcomes) {
      const raw = rawConversations(path)
      expect(sessionsOf(items).map((session) => session.session)).toEqual(raw.map((one) => one.id))
      expect(titlesOf(items).map((title) => title.title)).toEqual(raw.map((one) => one.title))
      const heads = recordsOf(items).flatMap((record) => (record.type === 'head' ? [record.recordId] : []))
      const newest = ({ mapping }: Raw) =>
        Object.values(mapping)
          .flatMap(({ message }) => message ?? [])
          .sort((a, b) => b.create_time - a.create_time)[0]?.id
      expect(heads).toEqual(raw.map((one) => one.current_node ?? newest(one)))
    }
  })

  it('claims no sample of any other source, and neither does its neighbour', async () => {
    const claimed: Record<string, string[]> = { chatgpt: [], 'claude-ai': [] }
    let others = 0
    for await (const { path } of walk(resolve('../shared/fixtures'), { accept: () => true, warn: () => {} })) {
      const [folder] = relative(resolve('../shared/fixtures'), path).split('/')
      const head = readFileSync(path).subarray(0, 64 << 10)
      for (const one of [adapter, claudeAi()]) if (folder !== one.name && one.recognises(head, path)) claimed[one.name]?.push(path)
      others += 1
    }
    expect(others).toBeGreaterThan(300)
    expect(claimed).toEqual({ chatgpt: [], 'claude-ai': [] })
  })
})
