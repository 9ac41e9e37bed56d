import { messageId, sessionId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import { isForgotten, jsonWithoutForgotten } from '../../tombstones/without-forgotten.ts'
import {
  eventMetadataWithoutForgotten,
  isForgottenEvent,
  isForgottenPart,
  isForgottenThread,
  threadIdWithoutForgotten,
} from '../forgotten-events.ts'
import { fieldId, isForgottenLeaf, isForgottenMessage, isForgottenTitle, recordId } from '../forgotten-records.ts'
import { isTurnHash, LINK } from '../record-names.ts'

type Values = Readonly<Record<string, string | number | null>>

export interface FieldChange {
  readonly id: string
  readonly values: Values
}

export interface ForgottenRows {
  readonly sessions: string[]
  readonly messages: string[]
  readonly records: { source: string; native_id: string }[]
  readonly sessionFields: FieldChange[]
  readonly messageFields: (FieldChange & { session: string })[]
  readonly turnFields: (FieldChange & { session: string })[]
  readonly calls: (FieldChange & { session: string })[]
  readonly pendingTitles: { source: string; leaf_native_id: string; title: string }[]
  readonly events: string[]
  readonly eventFields: FieldChange[]
  readonly threadFields: FieldChange[]
  /** Rows without a handle are removed; others lose the name. */
  readonly people: { event_id: string; role: string; handle: string; isGone: boolean }[]
  readonly contacts: { handle: string; unit: string }[]
  /** Address books whose path gets a pseudonym. */
  readonly books: { unit: string; name: string }[]
  readonly threads: { id: string; name: string }[]
  readonly series: { series: string; part: string; values: { thread_id: string; body_json: string } | undefined }[]
}

type Row = Readonly<Record<string, string | number | null>>

export async function findForgotten(store: Store, tombstones: Tombstones): Promise<ForgottenRows> {
  const found: ForgottenRows = {
    ...{ sessions: [], messages: [], records: [], sessionFields: [], messageFields: [], turnFields: [], calls: [] },
    ...{ pendingTitles: [], events: [], eventFields: [], threadFields: [], people: [], contacts: [], books: [], threads: [], series: [] },
  }
  const sessions = await forgottenSessions(store, tombstones, found)
  await forgottenMessages(store, tombstones, { found, sessions })
  await forgottenTurnValues(store, tombstones, found)
  await forgottenCalls(store, tombstones, { found, sessions })
  for await (const row of rows(store, 'agent_pending_titles', ['source', 'leaf_native_id', 'title'])) {
    const { source, leaf_native_id, title } = row as { source: string; leaf_native_id: string; title: string }
    if (isForgottenLeaf({ source, leaf: leaf_native_id, title }, tombstones)) found.pendingTitles.push({ source, leaf_native_id, title })
  }
  await forgottenEvents(store, tombstones, found)
  await forgottenPeople(store, tombstones, found)
  await forgottenSeries(store, tombstones, found)
  return found
}

function rows(store: Store, table: string, columns: readonly string[]): AsyncIterable<Row> {
  return store.walk(table, columns) as AsyncIterable<Row>
}

interface KnownSession {
  readonly source: string
  readonly plain: string
}

const SHARED = [
  'project',
  'workspace_path',
  'task_description',
  'task_status',
  'session_key',
  'model',
  'force_mode',
  'tool_call_id',
  'conversation_state',
  'repository',
  'repository_seen',
  'project_name',
] as const
const TITLES = ['title', 'own_title', 'source_title'] as const
const SESSION = ['id', 'source', 'native_id', ...TITLES, 'label', 'parent_native_id', 'context_json', 'raw_json', ...SHARED] as const

async function forgottenSessions(store: Store, tombstones: Tombstones, found: ForgottenRows): Promise<Map<string, KnownSession>> {
  const known = new Map<string, KnownSession>()
  for await (const row of rows(store, 'agent_sessions', SESSION)) {
    const [id, source] = [String(row.id), String(row.source)]
    const plain = sessionId(source, String(row.native_id))
    known.set(id, { source, plain })
    if (tombstones.holds('session', id)) {
      found.sessions.push(id)
      continue
    }
    const values: Record<string, string | number | null> = {}
    for (const column of SHARED) if (row[column] && tombstones.holds('value', String(row[column]))) values[column] = null
    if (tombstones.holds('value', String(row.label))) values.label = id
    const parent = row.parent_native_id as string | null
    if (parent && (isForgotten(parent, tombstones) || tombstones.holds('session', sessionId(source, parent))))
      values.parent_native_id = null
    for (const column of ['context_json', 'raw_json'] as const) {
      if (row[column] === null) continue
      if (tombstones.holds('field', fieldId(plain, column))) values[column] = null
      else Object.assign(values, named(column, jsonWithoutForgotten(String(row[column]), tombstones)))
    }
    for (const column of TITLES) {
      const title = row[column] as string | null
      if (title && isForgottenTitle([id, plain], title, tombstones)) Object.assign(values, { title: null, [column]: null })
    }
    if ('source_title' in values) values.title_rank = 0
    if (Object.keys(values).length > 0) found.sessionFields.push({ id, values })
  }
  return known
}

function named(column: string, value: string | undefined): Values {
  return value === undefined ? {} : { [column]: value }
}

interface Search {
  readonly found: ForgottenRows
  readonly sessions: ReadonlyMap<string, KnownSession>
}

async function forgottenMessages(store: Store, tombstones: Tombstones, { found, sessions }: Search): Promise<void> {
  const gone = new Set(found.sessions)
  const messages = new Set<string>()
  const columns = ['id', 'session_id', 'native_id', 'content', 'speaker', 'model', 'checkpoint_id', 'metadata_json']
  for await (const row of rows(store, 'agent_messages', columns)) {
    const [id, session, nativeId] = [String(row.id), String(row.session_id), String(row.native_id)]
    const of = sessions.get(session)
    if (of === undefined || gone.has(session)) continue
    // A later version shares its name with the first, so it is matched by id and text.
    const version = !id.endsWith(`/${nativeId}`)
    const as = { source: of.source, session: of.plain, text: String(row.content ?? '') }
    if (
      tombstones.holds('message', id) ||
      isForgottenMessage({ ...as, nativeId: version ? undefined : nativeId, records: [] }, tombstones)
    ) {
      messages.add(id)
      continue
    }
    const values: Record<string, string | null> = {}
    for (const column of ['speaker', 'model', 'checkpoint_id'] as const) {
      if (row[column] && tombstones.holds('value', String(row[column]))) values[column] = null
    }
    if (row.metadata_json !== null)
      Object.assign(values, named('metadata_json', jsonWithoutForgotten(String(row.metadata_json), tombstones)))
    if (Object.keys(values).length > 0) found.messageFields.push({ id, session, values })
  }
  for await (const row of rows(store, 'agent_records', ['source', 'native_id', 'hash', 'message_id'])) {
    const [source, native_id] = [String(row.source), String(row.native_id)]
    if (isForgotten(native_id, tombstones)) found.records.push({ source, native_id })
    // A dropped record's name points to a message that stays.
    if (row.hash === LINK || isTurnHash(String(row.hash))) continue
    const message = String(row.message_id)
    const names = [native_id, nativeOf(message, sessions)]
    if (names.some((name) => tombstones.holds('message', recordId(source, name, String(row.hash))))) messages.add(message)
  }
  found.messages.push(...messages)
}

/** Falls back to the id if the session is unknown. */
function nativeOf(message: string, sessions: ReadonlyMap<string, KnownSession>): string {
  for (let at = message.indexOf('/'); at !== -1; at = message.indexOf('/', at + 1)) {
    if (sessions.has(message.slice(0, at))) return message.slice(at + 1)
  }
  return message
}

async function forgottenTurnValues(store: Store, tombstones: Tombstones, found: ForgottenRows): Promise<void> {
  for await (const row of rows(store, 'agent_turns', ['id', 'session_id', 'model', 'provider'])) {
    const values: Record<string, null> = {}
    for (const column of ['model', 'provider'] as const)
      if (row[column] && tombstones.holds('value', String(row[column]))) values[column] = null
    if (Object.keys(values).length > 0) found.turnFields.push({ id: String(row.id), session: String(row.session_id), values })
  }
}

const CALL_PARTS = [
  ['params_json', 'call-params', '{}'],
  ['result_json', 'call-result', '""'],
] as const

async function forgottenCalls(store: Store, tombstones: Tombstones, { found, sessions }: Search): Promise<void> {
  const gone = new Set(found.sessions)
  const columns = ['id', 'session_id', 'native_id', 'tool_name', 'params_json', 'result_json', 'child_native_id']
  for await (const row of rows(store, 'agent_tool_calls', columns)) {
    const [id, session] = [String(row.id), String(row.session_id)]
    const of = sessions.get(session)
    if (of === undefined || gone.has(session)) continue
    const ids = [id, messageId(of.plain, String(row.native_id))]
    const held = (kind: 'call-params' | 'call-result', value: string | number | null | undefined) =>
      ids.some((one) => tombstones.holds(kind, one)) || (typeof value === 'string' && tombstones.holds('value', value))
    const values: Record<string, string | null> = {}
    for (const [column, kind, empty] of CALL_PARTS) {
      const json = row[column]
      if (typeof json !== 'string' || json === empty) continue
      if (held(kind, json)) values[column] = empty
      else Object.assign(values, named(column, jsonWithoutForgotten(json, tombstones)))
    }
    if (row.tool_name && isForgotten(String(row.tool_name), tombstones)) values.tool_name = ''
    const child = row.child_native_id as string | null
    if (child && (isForgotten(child, tombstones) || tombstones.holds('session', sessionId(of.source, child)))) values.child_native_id = null
    if (Object.keys(values).length > 0) found.calls.push({ id, session, values })
  }
}

async function forgottenEvents(store: Store, tombstones: Tombstones, found: ForgottenRows): Promise<void> {
  for await (const row of rows(store, 'events', ['id', 'thread_id', 'content', 'speaker', 'reply_to', 'metadata_json'])) {
    const [id, content, thread_id] = [String(row.id), textOf(row.content), textOf(row.thread_id)]
    if (isForgottenEvent({ id, content, thread_id }, tombstones)) found.events.push(id)
    else addChange(found.eventFields, id, { row, nullable: ['speaker', 'reply_to'] }, tombstones)
  }
  for await (const row of rows(store, 'threads', ['id', 'name', 'metadata_json'])) {
    const id = String(row.id)
    const name = threadIdWithoutForgotten(id, tombstones)
    if (name !== id && !isForgottenThread(id, tombstones)) found.threads.push({ id, name })
    addChange(found.threadFields, id, { row, nullable: ['name'] }, tombstones)
  }
}

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === 'string' ? value : null
}

async function forgottenSeries(store: Store, tombstones: Tombstones, found: ForgottenRows): Promise<void> {
  for await (const row of rows(store, 'series_parts', ['series', 'part', 'thread_id', 'body_json'])) {
    const [series, part, thread_id, body_json] = [row.series, row.part, row.thread_id, row.body_json].map(String) as [
      string,
      string,
      string,
      string,
    ]
    if (isForgottenPart({ series, part, thread_id }, tombstones)) {
      found.series.push({ series, part, values: undefined })
      continue
    }
    const [thread, body] = [threadIdWithoutForgotten(thread_id, tombstones), jsonWithoutForgotten(body_json, tombstones)]
    if (thread !== thread_id || body !== undefined)
      found.series.push({ series, part, values: { thread_id: thread, body_json: body ?? body_json } })
  }
}

async function forgottenPeople(store: Store, tombstones: Tombstones, found: ForgottenRows): Promise<void> {
  const held = (value: string | number | null | undefined) => typeof value === 'string' && isForgotten(value, tombstones)
  for await (const { event_id, role, handle, name } of rows(store, 'event_people', ['event_id', 'role', 'handle', 'name'])) {
    if (held(handle) || held(name))
      found.people.push({ event_id: String(event_id), role: String(role), handle: String(handle), isGone: held(handle) })
  }
  for await (const { handle, unit, name } of rows(store, 'contacts', ['handle', 'unit', 'name'])) {
    if (held(handle) || held(name)) found.contacts.push({ handle: String(handle), unit: String(unit) })
    if (tombstones.holds('path', String(unit)) && !found.books.some((book) => book.unit === unit))
      found.books.push({ unit: String(unit), name: tombstones.nameFor('path', String(unit)) })
  }
}

function addChange(
  to: FieldChange[],
  id: string,
  { row, nullable }: { row: Row; nullable: readonly string[] },
  tombstones: Tombstones,
): void {
  const values: Record<string, string | null> = {}
  for (const column of nullable) if (row[column] && tombstones.holds('value', String(row[column]))) values[column] = null
  if (row.metadata_json) Object.assign(values, named('metadata_json', eventMetadataWithoutForgotten(String(row.metadata_json), tombstones)))
  if (Object.keys(values).length > 0) to.push({ id, values })
}
