import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type AgentRecord, type SessionRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { type Fields, filled, filledBut, isFields, textOf } from '../fields.ts'
import { convertMessage } from './convert-message.ts'
import type { SessionNames } from './session-paths.ts'

export interface Conversation {
  readonly names: SessionNames
  header: Fields
  /** The header describes the whole session. */
  readonly whole: boolean
  project: string | undefined
  told: boolean
  readonly path: string[]
  readonly onPath: Set<string>
  last: string | undefined
}

export function newConversation(names: SessionNames, header: Fields, whole = false): Conversation {
  return { names, header, whole, project: undefined, told: false, path: [], onPath: new Set(), last: undefined }
}

/** A subagent's file in the main folder has its parent's id; then the file name is the id. */
export function sessionName({ header, names }: Conversation): { session: string; parent: string | undefined; weak: boolean } {
  const id = textOf(header.sessionId)
  // A copied file may be anywhere, so the folder names the parent only for subagent files.
  const parent = header.kind === 'subagent' ? (names.parent ?? id) : undefined
  const borrowed = parent !== undefined && names.parent === undefined
  return id === undefined || borrowed ? { session: names.stem, parent, weak: true } : { session: id, parent, weak: false }
}

export function* messageItems(talk: Conversation, message: Fields, rewritten = false): Generator<ReadItem, string | undefined, undefined> {
  const id = textOf(message.id)
  if (id === undefined) return 'a message without an id'
  const { session } = sessionName(talk)
  const known = talk.onPath.has(id)
  const before = known ? talk.path[talk.path.lastIndexOf(id) - 1] : talk.last
  const record = convertMessage(message, { session, id, parent: before, subagent: talk.header.kind === 'subagent', rewritten })
  if (record === undefined) {
    yield { type: 'unknown', name: `message/${textOf(message.type) ?? '?'}` }
    return undefined
  }
  if (!talk.told) yield* sessionItems(talk)
  yield item(record)
  if (!known) {
    talk.path.push(id)
    talk.onPath.add(id)
    talk.last = id
  }
  return undefined
}

export function* sessionItems(talk: Conversation): Generator<ReadItem, void, undefined> {
  talk.told = true
  const { header, project } = talk
  const { session, parent, weak } = sessionName(talk)
  // Only a document's header covers all its messages.
  const changedAt = talk.whole ? parseTimestamp(header.lastUpdated) : undefined
  const record: SessionRecord = {
    type: 'session',
    session,
    firstHash: shortHash(16, session, '\n', textOf(header.startTime) ?? ''),
    whole: true,
    ...given({
      weakName: weak || undefined,
      project,
      workspacePath: project,
      isSubagent: header.kind === 'subagent' || undefined,
      parentSession: parent,
      changedAt,
    }),
    ...contextOf(header),
    raw: filledBut(header, BULK) ?? {},
  }
  yield item(record)
  yield* titleItems(talk)
}

function* titleItems(talk: Conversation): Generator<ReadItem, void, undefined> {
  const title = textOf(talk.header.summary)?.trim()
  if (title) yield item({ type: 'title', session: sessionName(talk).session, title, rank: TITLE_RANK.summary })
}

const BULK: ReadonlySet<string> = new Set(['messages', 'lastUpdated'])
const OF_HEADER: ReadonlySet<string> = new Set(['sessionId', 'startTime', 'lastUpdated', 'messages', 'summary', 'kind', 'projectHash'])

function contextOf(header: Fields): Pick<SessionRecord, 'context'> {
  const context = filled({ ...filledBut(header, OF_HEADER), project_hash: header.projectHash })
  return context === undefined ? {} : { context }
}

/** The id must not change after it was emitted. */
export function* updateHeader(talk: Conversation, change: Fields): Generator<ReadItem, void, undefined> {
  const { sessionId, messages: _, ...rest } = change
  const before = talk.header
  talk.header = { ...before, ...rest, ...(talk.told || sessionId === undefined ? {} : { sessionId }) }
  if (!talk.told) return
  if (rest.summary !== undefined && rest.summary !== before.summary) yield* titleItems(talk)
  const news = contextOf(rest)
  if (news.context === undefined) return
  const { session } = sessionName(talk)
  yield item({ type: 'session', session, firstHash: shortHash(16, session, '\n', textOf(talk.header.startTime) ?? ''), ...news })
}

/** An unknown id rewinds everything, as in Gemini CLI. */
export function* rewind(talk: Conversation, id: string): Generator<ReadItem, void, undefined> {
  const at = Math.max(0, talk.path.indexOf(id))
  for (const gone of talk.path.splice(at)) talk.onPath.delete(gone)
  talk.last = talk.path.at(-1)
  yield* headItems(talk)
}

export function* headItems(talk: Conversation): Generator<ReadItem, void, undefined> {
  if (!talk.told) return
  const { session } = sessionName(talk)
  yield item({ type: 'head', session, ...given({ recordId: talk.last }) })
}

/** A rewritten history (compression, masked outputs). Known messages keep their first, fuller text; new ones are Gemini CLI's. */
export function* replaceHistory(talk: Conversation, messages: readonly unknown[]): Generator<ReadItem, void, undefined> {
  const ids: string[] = []
  for (const message of messages) {
    const id = isFields(message) ? textOf(message.id) : undefined
    if (id === undefined || !isFields(message)) continue
    ids.push(id)
    if (!talk.onPath.has(id)) yield* messageItems(talk, message, true)
  }
  talk.path.splice(0, talk.path.length, ...ids)
  talk.onPath.clear()
  for (const id of ids) talk.onPath.add(id)
}

function item(record: AgentRecord): ReadItem {
  return { type: 'record', record }
}
