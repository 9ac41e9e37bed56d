/** Emits a session record before the first message that belongs to it. */
import { FORK_FIELD, readForkMarker } from '../../../core/fork-marker.ts'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { leastTrusted } from '../../../core/trust.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { push, type Reading, type ReadState, type SessionInfo } from './read-state.ts'
import { type RecordOfSession, SIDECHAIN } from './session-of.ts'

export type Said = Pick<MessageRecord, 'role' | 'kind' | 'text' | 'trust' | 'hash'> & {
  readonly [field in 'model' | 'provider' | 'blocks' | 'metadata' | 'toolCalls' | 'toolResults' | 'compaction']?:
    | MessageRecord[field]
    | undefined
} & {
  readonly id?: string | undefined
  /** For a record that yields two messages. */
  readonly name?: string | undefined
  readonly parent?: string | undefined
}

export function pushMessage(reading: Reading, at: RecordOfSession, said: Said): void {
  const { record, within } = at
  const { state } = reading
  const info = openSession(reading, at, said)
  const name = said.name ?? textOf(record.uuid)
  const id = said.id ?? name
  const parent = parentOf(state, said.parent ?? textOf(record.parentUuid))
  const timestamp = parseTimestamp(record.timestamp)
  const metadata = joined(metadataOf(record, info.told, said.text), said.metadata)
  const copy = record[FORK_FIELD] === undefined ? undefined : readForkMarker(record[FORK_FIELD])
  const { role, kind, text, hash } = said
  const trust = copy?.trust === undefined ? said.trust : leastTrusted([said.trust, copy.trust])
  state.hasMessages = true
  state.current = within.session
  if (within.subagent === undefined) state.main = within.session
  // Assigned field by field: object spreads per line cost more than parsing the line.
  const message: Writable<MessageRecord> = { type: 'message', session: within.session, role, kind, text, trust, hash }
  if (id === undefined) message.ordinal = info.nameless++
  else message.id = id
  if (name !== undefined && name !== id) message.recordId = name
  if (copy?.copyOf !== undefined) message.copyOf = copy.copyOf
  if (copy?.lines !== undefined) message.copiedLines = copy.lines
  if (parent !== undefined) message.parent = parent
  if (timestamp !== undefined) message.timestamp = timestamp
  if (within.subagent !== undefined && role === 'user') message.speaker = 'agent'
  if (metadata !== undefined) message.metadata = metadata
  if (said.model !== undefined) message.model = said.model
  if (said.provider !== undefined) message.provider = said.provider
  if (said.blocks !== undefined) message.blocks = said.blocks
  if (said.toolCalls !== undefined) message.toolCalls = said.toolCalls
  if (said.toolResults !== undefined) message.toolResults = said.toolResults
  if (said.compaction !== undefined) message.compaction = said.compaction
  push(reading, message)
  if (name !== undefined) info.last = name
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

function joined(envelope: Fields | undefined, said: Fields | undefined): Fields | undefined {
  if (envelope === undefined || said === undefined) return envelope ?? said
  return { ...envelope, ...said }
}

/** Continues the parent chain. Ignored before the session's first message. */
export function pushLink(reading: Reading, { record, within }: RecordOfSession, parent = textOf(record.parentUuid)): void {
  const { state } = reading
  const name = textOf(record.uuid)
  const session = state.sessions.has(within.session) ? within.session : state.current
  if (name === undefined || session === undefined) return
  const above = parentOf(state, parent)
  push(reading, { type: 'link', session, recordId: name, ...given({ parent: above }) })
  const info = state.sessions.get(session)
  if (info) info.last = name
}

/** The record after a spliced-in prompt follows that prompt. */
function parentOf(state: ReadState, parent: string | undefined): string | undefined {
  const instead = parent === undefined ? undefined : state.splices.get(parent)
  if (instead === undefined) return parent
  state.splices.delete(parent as string)
  return instead
}

const NOTHING: Readonly<Record<string, string>> = {}

function openSession(reading: Reading, { record, within }: RecordOfSession, said: Said): SessionInfo {
  const { state, meta } = reading
  const { session, subagent } = within
  const known = state.sessions.get(session)
  if (known) {
    pushNewFacts(reading, { session, info: known }, record)
    return known
  }
  const context = sessionContext(record, NOTHING) ?? NOTHING
  const cwd = textOf(record.cwd)
  const name = said.name ?? textOf(record.uuid) ?? ''
  // A sidechain's name is unique, and its hash must survive eviction from the state.
  const firstHash = session.startsWith(SIDECHAIN) ? shortHash(16, session) : shortHash(16, name, '\n', said.text)
  const info: SessionInfo = { firstHash, told: { ...context, ...given({ cwd }) }, nameless: 0 }
  state.sessions.set(session, info)
  const waiting = state.waiting.get(session)
  state.waiting.delete(session)
  const agentType = subagent === undefined ? undefined : textOf(meta?.agentType)
  const all = { ...context, ...given({ agent_type: agentType }), ...waiting?.context }
  push(reading, {
    type: 'session',
    session,
    firstHash,
    ...given({
      weakName: within.weak || undefined,
      project: cwd,
      workspacePath: cwd,
      isSubagent: subagent === undefined ? undefined : true,
      parentSession: subagent?.parent,
      toolCall: subagent?.toolCall,
      taskDescription: subagent?.description,
      context: Object.keys(all).length === 0 ? undefined : all,
    }),
  })
  for (const title of waiting?.titles ?? []) push(reading, { type: 'title', session, ...title })
  return info
}

function pushNewFacts(reading: Reading, { session, info }: { session: string; info: SessionInfo }, record: Fields): void {
  const context = sessionContext(record, info.told)
  if (context === undefined) return
  Object.assign(info.told, context)
  push(reading, { type: 'session', session, firstHash: info.firstHash, context })
}

const OF_SESSION: readonly (readonly [field: string, name: string])[] = [
  ['version', 'version'],
  ['gitBranch', 'git_branch'],
  ['slug', 'slug'],
  ['entrypoint', 'entrypoint'],
  ['sessionKind', 'session_kind'],
  ['teamName', 'team'],
  ['agentId', 'agent_id'],
]

const ELSEWHERE: ReadonlySet<string> = new Set([
  ...OF_SESSION.map(([field]) => field),
  ...['type', 'subtype', 'uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'session_id', 'timestamp', 'cwd'],
  ...['message', 'content', 'attachment', 'toolUseResult', 'compactMetadata', 'planContent'],
  ...[FORK_FIELD, 'isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'userType', 'level', 'imagePasteIds'],
])

function sessionContext(record: Fields, told: Readonly<Record<string, string>>): Record<string, string> | undefined {
  let context: Record<string, string> | undefined
  for (const [field, name] of OF_SESSION) {
    const value = textOf(record[field])
    if (value === undefined || told[name] !== undefined) continue
    context ??= {}
    context[name] = value
  }
  return context
}

function metadataOf(record: Fields, told: Readonly<Record<string, string>>, text: string): Fields | undefined {
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
