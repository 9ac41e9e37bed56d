/** Never throws on bad input. */
import { FORK_FIELD, isForkNote } from '../../../core/fork-marker.ts'
import { shortHash } from '../../../core/hash.ts'
import { TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, filled, isFields, textOf } from '../fields.ts'
import { assistantRecord } from './assistant-record.ts'
import { readContent } from './content.ts'
import { pushLink } from './emit.ts'
import { push, type Reading, type Waiting } from './read-state.ts'
import { DROPPED } from './record-types.ts'
import { type RecordOfSession, sessionOf } from './session-of.ts'
import { attachmentRecord, systemRecord } from './system-record.ts'
import { queueOperation, summaryRecord, userRecord } from './user-record.ts'

/** Appends to `reading.items`. Returns an error text for a bad value. */
export function convertRecord(value: unknown, reading: Reading): string | undefined {
  if (!isFields(value)) return 'not a JSON object'
  const type = textOf(value.type)
  if (type === undefined) return 'a record without a type'
  const given = reading.items.length
  try {
    return convert(type, value, reading)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Nested deeper than the stack; no valid record is.
    reading.items.splice(given)
    return 'nested too deep'
  }
}

function convert(type: string, record: Fields, reading: Reading): string | undefined {
  switch (type) {
    case 'user':
    case 'assistant':
      return speech(type, record, reading)
    case 'system':
      systemRecord(reading, placed(record, reading))
      return undefined
    case 'attachment':
      attachmentRecord(reading, placed(record, reading))
      return undefined
    case 'progress':
      // Hooks and copies of subagent turns; the subagent's own file has them.
      pushLink(reading, placed(record, reading))
      return undefined
    case 'summary':
      summary(record, reading)
      return undefined
    case 'queue-operation':
      queueOperation(record, reading)
      return undefined
    default:
      if (DROPPED.has(type) || sideRecord(record, reading)) return undefined
      reading.items.push({ type: 'unknown', name: type })
      if (textOf(record.uuid) !== undefined) pushLink(reading, placed(record, reading))
      return undefined
  }
}

function placed(record: Fields, reading: Reading): RecordOfSession {
  return { record, within: sessionOf(record, reading) }
}

function speech(type: 'user' | 'assistant', record: Fields, reading: Reading): string | undefined {
  const at = placed(record, reading)
  if (record[FORK_FIELD] !== undefined && isForkNote(record[FORK_FIELD])) {
    pushLink(reading, at)
    return undefined
  }
  const read = type === 'user' ? userRecord(reading, at) : assistantRecord(reading, at)
  if (read) return undefined
  pushLink(reading, at)
  return `a record of type ${type} without content`
}

/** A title, or a compaction summary if it has a message. */
function summary(record: Fields, reading: Reading): void {
  const texts = readContent(fieldsOf(record.message)?.content, undefined)?.texts
  if (texts === undefined) {
    summaryTitle(record, reading)
    return
  }
  const text = texts.join('\n\n')
  summaryRecord(reading, placed(record, reading), { text, hash: shortHash(16, 'summary', '\n', text) })
}

/** Titles the session that contains `leafUuid`, which may be in another file. */
function summaryTitle(record: Fields, reading: Reading): void {
  const title = textOf(record.summary)
  const leaf = textOf(record.leafUuid)
  if (title !== undefined && leaf !== undefined) push(reading, { type: 'title', leaf, title, rank: TITLE_RANK.summary })
}

const TITLES: Readonly<Record<string, { field: string; rank: 3 | 4 }>> = {
  'ai-title': { field: 'aiTitle', rank: TITLE_RANK.generated },
  'agent-name': { field: 'agentName', rank: TITLE_RANK.generated },
  'custom-title': { field: 'customTitle', rank: TITLE_RANK.custom },
}

function sideRecord(record: Fields, reading: Reading): boolean {
  const type = String(record.type)
  const kind = TITLES[type]
  if (kind !== undefined) {
    const title = textOf(record[kind.field])
    if (title !== undefined) pushTitle(record, reading, { title, rank: kind.rank })
    return true
  }
  const facts = factsOf(type, record)
  if (facts === undefined) return false
  pushContext(record, reading, filled(facts) ?? {})
  return true
}

function factsOf(type: string, record: Fields): Fields | undefined {
  switch (type) {
    case 'pr-link':
      return { pr_url: record.prUrl, pr_number: record.prNumber, pr_repository: record.prRepository }
    case 'worktree-state':
      return { worktree: filled(fieldsOf(record.worktreeSession) ?? {}) }
    case 'relocated':
      return { relocated_cwd: record.relocatedCwd }
    case 'mode':
      return { mode: record.mode }
    case 'permission-mode':
      return { permission_mode: record.permissionMode }
    default:
      return undefined
  }
}

function pushTitle(record: Fields, reading: Reading, title: Waiting['titles'][number]): void {
  const { session } = sessionOf(record, reading)
  if (reading.state.sessions.has(session)) push(reading, { type: 'title', session, ...title })
  else waitingFor(reading, session).titles.push(title)
}

function pushContext(record: Fields, reading: Reading, context: Record<string, unknown>): void {
  const { session } = sessionOf(record, reading)
  const info = reading.state.sessions.get(session)
  if (info) push(reading, { type: 'session', session, firstHash: info.firstHash, context })
  else Object.assign(waitingFor(reading, session).context, context)
}

function waitingFor({ state }: Reading, session: string): Waiting {
  const waiting = state.waiting.get(session) ?? { context: {}, titles: [] }
  state.waiting.set(session, waiting)
  return waiting
}
