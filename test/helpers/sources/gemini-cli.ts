/** Lines since version 0.40; before that one rewritten document. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256, shortHash } from '../../../src/core/hash.ts'
import { toIso } from '../../../src/core/time.ts'
import { geminiCli } from '../../../src/ingest/capture/gemini-cli.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

export const PROJECT = '/home/ada/garden'
const FIRST = Date.UTC(2026, 0, 5)

export function header(session: string, at = FIRST): Record<string, unknown> {
  return { sessionId: session, projectHash: sha256(PROJECT), startTime: toIso(at), lastUpdated: toIso(at), kind: 'main' }
}

function messagesOf(session: string, { prompt, answer, at, tool }: Exchange, n: number): Record<string, unknown>[] {
  const name = `${shortHash(8, session)}-${n}`
  const tokens = { input: prompt.length, output: answer.length, cached: 0, thoughts: 0, tool: 0, total: prompt.length + answer.length }
  const call = tool && {
    id: `call-${name}`,
    name: tool.name,
    args: tool.params,
    result: [{ functionResponse: { id: `call-${name}`, name: tool.name, response: { output: tool.result } } }],
    status: 'success',
    timestamp: toIso(at + 2),
  }
  const model = 'gemini-3-flash-preview'
  return [
    { id: `${name}-user`, timestamp: toIso(at), type: 'user', content: [{ text: prompt }] },
    {
      id: `${name}-gemini`,
      timestamp: toIso(at + 1),
      type: 'gemini',
      content: answer,
      tokens,
      model,
      ...(call ? { toolCalls: [call] } : {}),
    },
  ]
}

function chatFile(root: string, session: string, ending: string): string {
  const folder = join(root, 'garden', 'chats')
  mkdirSync(folder, { recursive: true })
  return join(folder, `session-2026-01-05T00-00-${shortHash(8, session)}.${ending}`)
}

export const geminiCliSource: SampleSource = {
  name: 'gemini-cli',
  kind: 'lines',
  adapter: (root) => geminiCli({ paths: [root] }),
  write(root, session, exchanges) {
    const path = chatFile(root, session, 'jsonl')
    const lines = exchanges.flatMap((exchange, n) => {
      const [asked, answered] = messagesOf(session, exchange, n)
      // Gemini CLI writes the answer when it begins and again when it ends.
      const begun = { ...answered, toolCalls: undefined, tokens: null }
      return [asked, { $set: { lastUpdated: toIso(exchange.at) } }, ...('toolCalls' in (answered ?? {}) ? [begun] : []), answered]
    })
    writeFileSync(path, [header(session), ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  },
}

export const geminiCliDocumentSource: SampleSource = {
  name: 'gemini-cli',
  kind: 'json',
  adapter: (root) => geminiCli({ paths: [root] }),
  write(root, session, exchanges) {
    const path = chatFile(root, session, 'json')
    const messages = exchanges.flatMap((exchange, n) => messagesOf(session, exchange, n))
    writeFileSync(path, JSON.stringify({ ...header(session), messages }, null, 2))
    return path
  },
}
