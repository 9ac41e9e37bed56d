/** Any type not listed here counts as format drift. */
import { FORK_FIELD } from '../../../core/fork-marker.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import type { HeadFormat } from '../head.ts'

export type LineType = 'session_meta' | 'turn_context' | 'response_item' | 'event_msg' | 'compacted' | 'inter_agent_communication' | 'known'

const LINE_TYPES: ReadonlyMap<string, LineType> = new Map([
  ['session_meta', 'session_meta'],
  ['turn_context', 'turn_context'],
  ['response_item', 'response_item'],
  ['event_msg', 'event_msg'],
  ['compacted', 'compacted'],
  ['inter_agent_communication', 'inter_agent_communication'],
  ['inter_agent_communication_metadata', 'known'],
  ['world_state', 'known'],
  ['security_risk_score', 'known'],
  ['token_usage_record', 'known'],
])

/** Files before September 2025 have bare items. */
const BARE_ITEMS: ReadonlySet<string> = new Set(
  'message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call web_search_call'.split(
    ' ',
  ),
)

export interface RolloutLine {
  readonly type: LineType | undefined
  readonly name: string
  readonly payload: Fields
  readonly timestamp: unknown
  readonly ordinal?: unknown
  /** Mnemonic's marker in a forked session. */
  readonly mark?: unknown
}

export function rolloutLine(value: unknown): RolloutLine | undefined {
  if (!isFields(value)) return undefined
  const { payload, timestamp } = value
  const name = textOf(value.type)
  if (name !== undefined && isFields(payload))
    return { type: LINE_TYPES.get(name), name, payload, timestamp, ordinal: value.ordinal, mark: value[FORK_FIELD] }
  if (isHeader(value)) return { type: 'session_meta', name: 'session_meta', payload: value, timestamp }
  if (value.record_type !== undefined) return { type: 'known', name: 'state', payload: value, timestamp }
  if (name !== undefined && BARE_ITEMS.has(name)) return { type: 'response_item', name: 'response_item', payload: value, timestamp }
  return name === undefined ? undefined : { type: undefined, name, payload: {}, timestamp }
}

/** Must not match any other format. */
export function isRolloutLine(value: unknown): boolean {
  if (!isFields(value)) return false
  const type = LINE_TYPES.get(textOf(value.type) ?? '')
  if (type === undefined) return isHeader(value) || (value.record_type === 'state' && value.type === undefined)
  const payload = fieldsOf(value.payload)
  if (payload === undefined || textOf(value.timestamp) === undefined) return false
  return type === 'response_item' || type === 'event_msg' ? textOf(payload.type) !== undefined : true
}

/** Old files start with the session, without a type. */
function isHeader(value: Fields): boolean {
  const { type, role, payload, id, timestamp } = value
  if (type !== undefined || role !== undefined || payload !== undefined) return false
  return textOf(id) !== undefined && textOf(timestamp) !== undefined && ('instructions' in value || 'git' in value)
}

export const ROLLOUT: HeadFormat = {
  name: 'a Codex rollout',
  reason: 'it does not begin as a Codex rollout does',
  isRecord: isFields,
  // Tolerates unknown lines before the header.
  isOurs: (lines) => isRolloutLine(lines.flatMap(({ values }) => values).find((value) => rolloutLine(value)?.type !== undefined)),
  lacks([first, ...rest]) {
    if (first === undefined || isRolloutLine(first.values[0])) return undefined
    const known = [first, ...rest].flatMap(({ values }) => values).filter((value) => rolloutLine(value)?.type !== undefined)
    if (known.length === 0) return undefined
    return known.some(isRolloutLine) ? 'it does not begin with its header' : 'its lines have no time'
  },
}
