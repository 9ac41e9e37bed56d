/** Known record types. Any other counts as format drift. */
import { type Fields, isFields } from '../fields.ts'

export const DROPPED: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'last-prompt',
  'started',
  'result',
  'bridge-session',
  'frame-link',
  'atis-latch',
])

const WITH_ENVELOPE: ReadonlySet<string> = new Set(['system', 'attachment', 'progress'])

const WITH_SESSION: ReadonlySet<string> = new Set([
  'ai-title',
  'custom-title',
  'agent-name',
  'last-prompt',
  'mode',
  'permission-mode',
  'queue-operation',
  'pr-link',
  'worktree-state',
  'relocated',
  'frame-link',
  'bridge-session',
  'atis-latch',
])

/** Must not match any other format. */
export function isClaudeRecord(value: unknown): value is Fields {
  if (!isFields(value) || typeof value.type !== 'string') return false
  const { type } = value
  if (type === 'user' || type === 'assistant') return isFields(value.message)
  if (type === 'summary') return typeof value.leafUuid === 'string' || isFields(value.message)
  if (type === 'file-history-snapshot') return isFields(value.snapshot)
  if (type === 'started' || type === 'result') return typeof value.key === 'string' && typeof value.agentId === 'string'
  if (WITH_ENVELOPE.has(type)) return typeof value.uuid === 'string' || typeof value.sessionId === 'string' || isFields(value.attachment)
  return WITH_SESSION.has(type) && typeof value.sessionId === 'string'
}
