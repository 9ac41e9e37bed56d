/** One line per message, linked by `parentUuid`. Pure. */
import { posix } from 'node:path'
import { copiedLines, FORK_FIELD, FORK_NOTE, forkMarker } from '../../core/fork-marker.ts'
import { shortHash } from '../../core/hash.ts'
import { uuid5 } from '../../core/uuid5.ts'
import type { NativeForm, NativeRecord, NativeSession } from './native-form.ts'
import type { Said, SaidCall } from './said.ts'

/** The imitated version. */
const VERSION = '2.1.42'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const claudeCodeForm: NativeForm = {
  records,
  read: ({ message }) => (message as { content?: unknown } | undefined)?.content,
  // The harness derives the folder name this way.
  place: ({ id, folder }) => posix.join(folder.replace(/[^A-Za-z0-9-]/g, '-'), `${id}.jsonl`),
}

function records(session: NativeSession): NativeRecord[] {
  const { id, folder, forkedAt, note, title } = session
  const first = session.said[0]
  const lines: NativeRecord[] = []
  let parent: string | null = null
  const add = (type: 'user' | 'assistant', uuid: string, timestamp: string, rest: NativeRecord) => {
    const envelope = { parentUuid: parent, isSidechain: false, userType: 'external', cwd: folder, sessionId: id, version: VERSION }
    lines.push({ ...envelope, gitBranch: '', type, ...rest, uuid, timestamp })
    parent = uuid
  }
  add('user', uuid5('fork-note', id), first?.time ?? forkedAt, {
    message: { role: 'user', content: note },
    isMeta: true,
    [FORK_FIELD]: forkMarker(FORK_NOTE, forkedAt),
  })
  lines.push({ type: 'ai-title', aiTitle: title, sessionId: id })
  for (const said of session.said) {
    const marker = forkMarker({ copyOf: said.origin, trust: said.trust, lines: copiedLines(said.text) }, forkedAt)
    const uuid = uuidOf(said, id)
    if (said.kind !== 'answer') {
      const meta = said.kind === 'context' ? { isMeta: true } : {}
      add('user', uuid, said.time, { message: { role: 'user', content: said.text }, ...meta, [FORK_FIELD]: marker })
      continue
    }
    add('assistant', uuid, said.time, { message: answer(said), [FORK_FIELD]: marker })
    for (const call of said.calls) {
      const result = forkMarker({ copyOf: call.resultOf, trust: 'untrusted', lines: copiedLines(call.result) }, forkedAt)
      const message = { role: 'user', content: [toolResult(call)] }
      add('user', uuid5('fork-result', id, call.origin), said.time, {
        ...{ message, toolUseResult: call.result, sourceToolAssistantUUID: uuid, [FORK_FIELD]: result },
      })
    }
  }
  return lines
}

function answer({ nativeId, model, text, calls }: Said): NativeRecord {
  const texts = text === '' ? [] : [{ type: 'text', text }]
  return {
    model: model ?? 'unknown',
    id: /^msg_\w+$/.test(nativeId) ? nativeId : `msg_${shortHash(24, nativeId)}`,
    ...{ type: 'message', role: 'assistant' },
    content: [...texts, ...calls.map((call) => ({ type: 'tool_use', id: callId(call), name: call.tool, input: inputOf(call.input) }))],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  }
}

function toolResult(call: SaidCall): NativeRecord {
  return { tool_use_id: callId(call), type: 'tool_result', content: call.result, ...(call.failed ? { is_error: true } : {}) }
}

function inputOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
}

function callId({ nativeId, origin }: SaidCall): string {
  return /^toolu_\w+$/.test(nativeId) ? nativeId : `toolu_${shortHash(24, origin)}`
}

/** Keeps the original uuid, as the harness's own forks do. */
function uuidOf({ harness, nativeId, origin }: Said, session: string): string {
  return harness === 'claude-code' && UUID.test(nativeId) ? nativeId : uuid5('fork', session, origin)
}
