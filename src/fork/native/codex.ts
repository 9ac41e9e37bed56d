/** Items for the model, and events for its screen. Pure. */
import { copiedLines, FORK_FIELD, FORK_NOTE, forkMarker } from '../../core/fork-marker.ts'
import { shortHash } from '../../core/hash.ts'
import type { NativeForm, NativeRecord, NativeSession } from './native-form.ts'
import type { Said, SaidCall } from './said.ts'

/** The imitated version. */
const VERSION = '0.146.0'

export const codexForm: NativeForm = {
  records,
  read: ({ type, payload }) => (type === 'response_item' ? payload : undefined),
  place({ id, forkedAt }) {
    const [day = '', time = ''] = forkedAt.slice(0, 19).split('T')
    return `${day.replaceAll('-', '/')}/rollout-${day}T${time.replaceAll(':', '-')}-${id}.jsonl`
  },
}

function records({ id, folder, forkedAt, note, said }: NativeSession): NativeRecord[] {
  const line = (timestamp: string, type: string, payload: NativeRecord, marker?: NativeRecord): NativeRecord => ({
    ...{ timestamp, type, payload },
    ...(marker === undefined ? {} : { [FORK_FIELD]: marker }),
  })
  // Without model_provider: Codex rejects a session of a provider other than the configured one.
  const header = { id, session_id: id, timestamp: forkedAt, cwd: folder, originator: 'codex_cli_rs', cli_version: VERSION }
  return [
    line(forkedAt, 'session_meta', { ...header, source: 'cli' }),
    line(forkedAt, 'response_item', item('developer', note), forkMarker(FORK_NOTE, forkedAt)),
    ...said.flatMap((one) => {
      const marker = forkMarker({ copyOf: one.origin, trust: one.trust, lines: copiedLines(one.text) }, forkedAt)
      return lines(one).map(({ type, payload, result }) => {
        const own =
          result === undefined ? marker : forkMarker({ copyOf: result.of, trust: 'untrusted', lines: copiedLines(result.text) }, forkedAt)
        return line(one.time, type, payload, own)
      })
    }),
  ]
}

interface Line {
  readonly type: 'response_item' | 'event_msg'
  readonly payload: NativeRecord
  /** For a result: the copied message and its text. */
  readonly result?: { readonly of: string; readonly text: string }
}

function lines(said: Said): Line[] {
  const { kind, text, calls } = said
  if (kind === 'context') return [{ type: 'response_item', payload: item('developer', text) }]
  if (kind === 'prompt')
    return [
      { type: 'response_item', payload: item('user', text) },
      { type: 'event_msg', payload: { type: 'user_message', message: text, images: [], local_images: [], text_elements: [] } },
    ]
  const spoken: Line[] =
    text === ''
      ? []
      : [
          { type: 'response_item', payload: item('assistant', text) },
          { type: 'event_msg', payload: { type: 'agent_message', message: text } },
        ]
  return [...spoken, ...calls.flatMap(callLines)]
}

function item(role: 'user' | 'assistant' | 'developer', text: string): NativeRecord {
  return { type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] }
}

function callLines(call: SaidCall): Line[] {
  const { tool, input, result, resultOf } = call
  const call_id = /^call_\w{20,}$/.test(call.nativeId) ? call.nativeId : `call_${shortHash(24, call.origin)}`
  const typed = typeof input === 'string'
  return [
    {
      type: 'response_item',
      payload: typed
        ? { type: 'custom_tool_call', status: 'completed', call_id, name: tool, input }
        : { type: 'function_call', name: tool, arguments: JSON.stringify(input), call_id },
    },
    {
      type: 'response_item',
      payload: { type: typed ? 'custom_tool_call_output' : 'function_call_output', call_id, output: result },
      result: { of: resultOf, text: result },
    },
  ]
}
