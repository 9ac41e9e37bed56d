/** A header, then entries linked by `parentId`. Pure. */
import { posix } from 'node:path'
import { copiedLines, FORK_FIELD, FORK_NOTE, forkMarker } from '../../core/fork-marker.ts'
import { shortHash } from '../../core/hash.ts'
import type { NativeForm, NativeRecord, NativeSession } from './native-form.ts'
import type { Said } from './said.ts'

export const piForm: NativeForm = {
  records,
  read: ({ type, message, content }) => (type === 'custom_message' ? content : (message as { content?: unknown } | undefined)?.content),
  place({ id, folder, forkedAt }) {
    const name = `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
    return posix.join(name, `${forkedAt.replace(/[:.]/g, '-')}_${id}.jsonl`)
  },
}

function records({ id, folder, forkedAt, note, title, said }: NativeSession): NativeRecord[] {
  const lines: NativeRecord[] = [{ type: 'session', version: 3, id, timestamp: forkedAt, cwd: folder }]
  const names = new Set<string>()
  let parentId: string | null = null
  const add = (type: string, name: string, timestamp: string, rest: NativeRecord) => {
    const own = nameOf(name, names)
    lines.push({ type, id: own, parentId, timestamp, ...rest })
    parentId = own
  }
  add('custom_message', `note ${id}`, forkedAt, {
    ...{ customType: 'mnemonic-fork', content: note, display: false },
    [FORK_FIELD]: forkMarker(FORK_NOTE, forkedAt),
  })
  add('session_info', `title ${id}`, forkedAt, { name: title })
  for (const one of said) {
    const marker = { [FORK_FIELD]: forkMarker({ copyOf: one.origin, trust: one.trust, lines: copiedLines(one.text) }, forkedAt) }
    const timestamp = Date.parse(one.time)
    if (one.kind === 'context') {
      add('custom_message', one.origin, one.time, { customType: 'mnemonic-fork', content: one.text, display: true, ...marker })
      continue
    }
    if (one.kind === 'prompt') {
      add('message', one.origin, one.time, { message: { role: 'user', content: [{ type: 'text', text: one.text }], timestamp }, ...marker })
      continue
    }
    add('message', one.origin, one.time, { message: answer(one, timestamp), ...marker })
    for (const { origin, tool: toolName, result, failed: isError, resultOf } of one.calls) {
      const message = {
        role: 'toolResult',
        toolCallId: callId(origin),
        toolName,
        content: [{ type: 'text', text: result }],
        isError,
        timestamp,
      }
      add('message', `result ${origin}`, one.time, {
        message,
        [FORK_FIELD]: forkMarker({ copyOf: resultOf, trust: 'untrusted', lines: copiedLines(result) }, forkedAt),
      })
    }
  }
  return lines
}

/** Eight digits as in pi; more on a collision. */
function nameOf(name: string, taken: Set<string>): string {
  let length = 8
  while (taken.has(shortHash(length, name))) length += 1
  const own = shortHash(length, name)
  taken.add(own)
  return own
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

function answer({ text, calls, model, provider }: Said, timestamp: number): NativeRecord {
  const served = provider ?? providerOf(model)
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ origin, tool, input }) => ({ type: 'toolCall', id: callId(origin), name: tool, arguments: argumentsOf(input) })),
    ],
    api: APIS[served] ?? 'openai-completions',
    provider: served,
    model: model ?? 'unknown',
    usage: { ...NOTHING, totalTokens: 0, cost: { ...NOTHING, total: 0 } },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  }
}

const APIS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'google-generative-ai',
}

function providerOf(model: string | null): string {
  if (model === null) return 'unknown'
  if (/^claude/i.test(model)) return 'anthropic'
  if (/^(?:gpt|o\d|codex)/i.test(model)) return 'openai'
  return /^gemini/i.test(model) ? 'google' : 'unknown'
}

function callId(origin: string): string {
  return `call_${shortHash(24, origin)}`
}

function argumentsOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
}
