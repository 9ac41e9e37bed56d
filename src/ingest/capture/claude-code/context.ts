/** Envelope fields: what holds for a whole session, and what is said of one message. No content, nothing twice. */
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, textOf } from '../fields.ts'

/** Envelope field → name in the session's context. */
const OF_SESSION: readonly (readonly [field: string, name: string])[] = [
  ['version', 'version'],
  ['gitBranch', 'git_branch'],
  ['slug', 'slug'],
  ['entrypoint', 'entrypoint'],
  ['sessionKind', 'session_kind'],
  ['teamName', 'team'],
  ['agentId', 'agent_id'],
]

/** Kept elsewhere: as content, as name, as place, or as the kind of the message. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...OF_SESSION.map(([field]) => field),
  ...['type', 'subtype', 'uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'session_id', 'timestamp', 'cwd'],
  ...['message', 'content', 'attachment', 'toolUseResult', 'compactMetadata', 'planContent'],
  ...['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'userType', 'level', 'imagePasteIds'],
])

/** What the envelope says of its session and `told` does not have yet; undefined where that is nothing. */
export function sessionContext(record: Fields, told: Readonly<Record<string, string>>): Record<string, string> | undefined {
  let context: Record<string, string> | undefined
  for (const [field, name] of OF_SESSION) {
    const value = textOf(record[field])
    if (value === undefined || told[name] !== undefined) continue
    context ??= {}
    context[name] = value
  }
  return context
}

/** What the envelope says of this message alone, and what it says otherwise than its session does. */
export function metadataOf(record: Fields, told: Readonly<Record<string, string>>, text: string): Fields | undefined {
  const kept: Record<string, unknown> = {}
  for (const key in record) {
    const value = record[key]
    if (!ELSEWHERE.has(key) && value !== false && value !== null) kept[key] = value
  }
  for (const [field, name] of OF_SESSION) {
    const value = textOf(record[field])
    if (value !== undefined && told[name] !== undefined && told[name] !== value) kept[field] = value
  }
  const cwd = textOf(record.cwd)
  if (cwd !== undefined && told.cwd !== cwd) kept.cwd = cwd
  const plan = textOf(record.planContent)
  if (plan !== undefined && !text.includes(plan.trim())) kept.planContent = plan
  return filled(withoutBinary(kept) as Fields)
}
