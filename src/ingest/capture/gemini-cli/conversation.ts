/** A session while it is read: what is known of it, and which messages it has now. Gives out items in order. */
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
  /** The header is that of the whole session as it is now. */
  readonly whole: boolean
  /** The project's folder, where it could be found. */
  project: string | undefined
  /** Whether the session's record was given out. */
  told: boolean
  /** Messages of the conversation as it is now, in order. */
  readonly path: string[]
  readonly onPath: Set<string>
  /** The message that the next one follows. */
  last: string | undefined
}

export function newConversation(names: SessionNames, header: Fields, whole = false): Conversation {
  return { names, header, whole, project: undefined, told: false, path: [], onPath: new Set(), last: undefined }
}

/** A subagent's file in the folder of all sessions has the id of the session that started it: then it is named after its file. */
export function sessionName({ header, names }: Conversation): { session: string; parent: string | undefined; weak: boolean } {
  const id = textOf(header.sessionId)
  // A copy of a session may be in any folder: the folder names the parent only where the file itself says that it is a subagent's.
  const parent = header.kind === 'subagent' ? (names.parent ?? id) : undefined
  const borrowed = parent !== undefined && names.parent === undefined
  return id === undefined || borrowed ? { session: names.stem, parent, weak: true } : { session: id, parent, weak: false }
}

/** `rewritten`: Gemini CLI rewrote its history, and the message came with it. */
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
  // A document says it of all that it holds; the lines of the newer format, only of those before it.
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

/** New facts about the session, from a later line or a later read. Its id stays once it was given out. */
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

/** Goes back to before `id`. A name that is not known takes everything back, as Gemini CLI itself reads it. */
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

/**
 * The history as Gemini CLI rewrote it (after a compression, or with long outputs masked). What is known stays as it was first given out,
 * which is the fuller text; what is new was put there by Gemini CLI.
 */
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
