import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectItems, messagesOf } from '../../../test/helpers/collect-items.ts'
import type { MessageRecord } from '../../ledgers/agent-record.ts'
import type { ReadItem } from '../adapter.ts'
import { claudeCode } from './claude-code.ts'

const root = resolve('../shared/fixtures/claude-code')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public Claude Code samples are not on this machine\n')

const adapter = claudeCode({ paths: [root] })

interface Outcome {
  readonly path: string
  readonly items: readonly ReadItem[]
  readonly code?: string
}

async function readAll(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for await (const { path } of adapter.discover({ warn: () => {} })) {
    try {
      outcomes.push({ path, items: await collectItems(adapter, path) })
    } catch (error) {
      outcomes.push({ path, items: [], code: (error as { code: string }).code })
    }
  }
  return outcomes
}

// Independent reference parser: one JSON.parse per line, no state.
interface Raw {
  type?: string
  uuid?: string
  requestId?: string
  isMeta?: boolean
  isSidechain?: boolean
  isCompactSummary?: boolean
  isApiErrorMessage?: boolean
  origin?: { kind?: string }
  message?: { id?: string; model?: string; content?: string | { type?: string; text?: string; content?: unknown; tool_use_id?: string }[] }
}

function rawRecords(path: string): Raw[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      for (const text of [`[${line}]`, `[${line.replaceAll('}{"type"', '},{"type"').replaceAll('}{"parentUuid"', '},{"parentUuid"')}]`]) {
        try {
          return (JSON.parse(text) as Raw[]).filter((record) => typeof record === 'object' && record !== null && !Array.isArray(record))
        } catch {}
      }
      return []
    })
}

const blocksOf = ({ message }: Raw) =>
  typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : Array.isArray(message?.content) ? message.content : []
const textOf = (record: Raw) =>
  blocksOf(record)
    .filter((block) => block?.type === 'text')
    .map((block) => block.text ?? '')
    .join('\n\n')

function joined(parts: Iterable<{ key: string; text: string }>): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { key, text } of parts) {
    const before = texts.get(key) ?? ''
    texts.set(key, before === '' || text === '' ? before + text : `${before}\n\n${text}`)
  }
  return texts
}

describe.skipIf(!present)('the public samples', async () => {
  const outcomes = present ? await readAll() : []
  const read = outcomes.filter((outcome) => outcome.code === undefined)
  // Masked files share one placeholder name, so joins by name are meaningless.
  const honest = read.filter(({ path }) => !readFileSync(path, 'utf8').includes('[trimmed for fixture]'))

  it('every file is read or refused with a code, and the numbers add up', () => {
    const refused = outcomes.filter((outcome) => outcome.code !== undefined)
    expect(outcomes.length).toBeGreaterThan(100)
    expect(read.length + refused.length).toBe(outcomes.length)
    expect(refused.map(({ path, code }) => [relative(root, path), code])).toEqual([
      ['happy/duplicate-assistant-response-2.jsonl', 'NOT_THIS_FORMAT'],
    ])
  })

  it('a file gives messages, or a warning that it has none', () => {
    for (const { items } of read) {
      const silent = messagesOf(items).length === 0
      expect(items.some((item) => item.type === 'warning')).toBe(silent)
    }
  })

  it('every line is a record, a bad line, or known and left out: nothing unknown but the two that are made up', () => {
    const unknown = new Set(read.flatMap(({ items }) => items.flatMap((item) => (item.type === 'unknown' ? [item.name] : []))))
    expect([...unknown].sort()).toEqual(['tool_result', 'tool_use'])
  })

  it('the text of every answer is the text of the source, character by character', () => {
    let answers = 0
    for (const { path, items } of honest) {
      const seen = new Map<string, string | undefined>()
      const expected = joined(
        rawRecords(path)
          .filter((raw) => raw.type === 'assistant' && raw.message?.model !== '<synthetic>' && raw.isApiErrorMessage !== true)
          .filter((raw) => {
            const key = `${raw.message?.id} ${JSON.stringify(raw.message?.content)}`
            const again = seen.has(key) && seen.get(key) !== raw.requestId
            if (!again) seen.set(key, raw.requestId)
            return !again
          })
          .map((raw, n) => ({ key: raw.message?.id ?? raw.uuid ?? `#${n}`, text: textOf(raw) })),
      )
      const replies = messagesOf(items).filter((message) => message.kind === 'reply')
      const told = joined(replies.map((reply, n) => ({ key: reply.id ?? `#${n}`, text: reply.text })))
      expect([...told.values()], path).toEqual([...expected.values()])
      answers += told.size
    }
    expect(answers).toBeGreaterThan(500)
  })

  it('a user text without any envelope is a prompt, character by character; one in an envelope is none', () => {
    let prompts = 0
    for (const { path, items } of honest) {
      const messages = messagesOf(items)
      const told = new Map(
        messages.filter((message) => message.id !== undefined).map((message) => [`${message.id}\n${message.text}`, message]),
      )
      for (const raw of rawRecords(path)) {
        const text = textOf(raw)
        if (raw.type !== 'user' || raw.uuid === undefined || text === '' || raw.isCompactSummary) continue
        const message = told.get(`${raw.uuid}\n${text}`)
        if (raw.isMeta || raw.origin?.kind === 'task-notification') expect(message?.role, path).toBe('system')
        else if (/^\s*(<|\[Request interrupted|Caveat: )/.test(text)) expect(message?.kind, path).not.toBe('prompt')
        else {
          expect(message, `${path} ${raw.uuid}`).toMatchObject({ role: 'user', kind: 'prompt', trust: raw.isSidechain ? 'agent' : 'owner' })
          prompts += 1
        }
      }
    }
    expect(prompts).toBeGreaterThan(200)
  })

  it('every tool result is there with its call, and its text is the text of the source', () => {
    let results = 0
    for (const { path, items } of honest) {
      const told = messagesOf(items).flatMap((message: MessageRecord) => message.toolResults ?? [])
      const raw = rawRecords(path)
        .filter((record) => record.type === 'user')
        .flatMap((record) => blocksOf(record).filter((block) => block?.type === 'tool_result'))
      expect(told.length, path).toBe(raw.length)
      raw.forEach((block, n) => {
        if (block.tool_use_id !== undefined) expect(told[n]?.callId).toBe(block.tool_use_id)
        const { content } = JSON.parse(told[n]?.result ?? '{}') as { content: unknown }
        expect(content).toEqual(block.content ?? '')
        results += 1
      })
    }
    expect(results).toBeGreaterThan(1000)
  })

  it('no picture is stored, and what is stored is smaller than the source', () => {
    let bytes = 0
    let stored = 0
    for (const { path, items } of read) {
      const text = JSON.stringify(items)
      expect(/"(data|base64)\\*":\\*"[A-Za-z0-9+/]{200}/.test(text), path).toBe(false)
      bytes += readFileSync(path).length
      stored += text.length
    }
    expect(stored).toBeLessThan(bytes)
  })
})
