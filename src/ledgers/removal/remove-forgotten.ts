/** Idempotent. */
import type { WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { announce, type Quiet } from '../finish-session.ts'
import { nameSession } from '../names/name-session.ts'
import { dropAnswers } from './drop-answers.ts'
import type { ForgottenRows } from './find-forgotten.ts'
import { removeFromEvents } from './remove-events.ts'
import { removeMessages, removeRecords, settleSession } from './remove-messages.ts'

export interface RemovedRows {
  readonly touched: Set<string>
  readonly gone: Set<string>
  readonly counts: Readonly<Record<string, number>>
}

export async function removeForgotten(tx: WriteTx, rows: ForgottenRows, quiet: Quiet): Promise<RemovedRows> {
  const touched = new Set<string>()
  const gone = new Set<string>(rows.sessions)
  for (const id of rows.sessions) await removeSession(tx, id)
  // First, because removing messages rebuilds turns, which may rename them.
  for (const { id, session, values } of rows.messageFields) {
    await tx.db.updateTable('agent_messages').set(values).where('id', '=', id).execute()
    await dropAnswers(tx, [id])
    touched.add(session)
  }
  for (const { id, session, values } of rows.turnFields) {
    await tx.db.updateTable('agent_turns').set(values).where('id', '=', id).execute()
    touched.add(session)
  }
  for (const session of await sessionsOf(tx, rows.messages)) touched.add(session)
  await removeMessages(tx, rows.messages, quiet)
  for (const id of rows.messages) await tx.db.deleteFrom('agent_session_history').where('thread_id', '=', id).execute()
  for (const { source, native_id } of rows.records) {
    await tx.db.deleteFrom('agent_records').where('source', '=', source).where('native_id', '=', native_id).execute()
  }
  for (const { id, session, values } of rows.calls) {
    await tx.db.updateTable('agent_tool_calls').set(values).where('id', '=', id).execute()
    touched.add(session)
  }
  // A title may come from a call.
  for (const session of new Set(rows.calls.map((call) => call.session))) await nameSession(tx, session, await tombstonesOf(tx))
  await changeSessions(tx, rows, { quiet, touched })
  for (const { source, leaf_native_id, title } of rows.pendingTitles) {
    const of = tx.db.deleteFrom('agent_pending_titles').where('source', '=', source)
    await of.where('leaf_native_id', '=', leaf_native_id).where('title', '=', title).execute()
  }
  await removeFromEvents(tx, rows)
  for (const id of await emptied(tx, touched)) {
    await removeSession(tx, id)
    touched.delete(id)
    gone.add(id)
  }
  for (const id of touched) {
    await settleThread(tx, id, quiet)
    await blankSession(tx, id)
  }
  return { touched, gone, counts: countsOf(rows) }
}

async function sessionsOf(tx: WriteTx, messages: readonly string[]): Promise<Set<string>> {
  const sessions = new Set<string>()
  for (const id of messages) {
    const row = await tx.db.selectFrom('agent_messages').select('session_id').where('id', '=', id).executeTakeFirst()
    if (row !== undefined) sessions.add(row.session_id)
  }
  return sessions
}

async function changeSessions(tx: WriteTx, rows: ForgottenRows, { quiet, touched }: { quiet: Quiet; touched: Set<string> }): Promise<void> {
  for (const { id, values } of rows.sessionFields) {
    await tx.db.updateTable('agent_sessions').set(values).where('id', '=', id).execute()
    if ('title' in values) await settleSession(tx, id, quiet)
    await dropAnswers(tx, tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', id))
    touched.add(id)
  }
}

async function emptied(tx: WriteTx, touched: ReadonlySet<string>): Promise<string[]> {
  const empty: string[] = []
  for (const id of touched) {
    const message = await tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', id).limit(1).executeTakeFirst()
    if (message === undefined) empty.push(id)
  }
  return empty
}

/** Updates the derived thread, and tells index stages to process the session. */
async function settleThread(tx: WriteTx, id: string, { clock }: Quiet): Promise<void> {
  const session = await tx.db
    .selectFrom('agent_sessions')
    .select(['title', 'project', 'head_turn_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (session === undefined) return
  const metadata_json = session.project === null ? null : JSON.stringify({ project: session.project })
  await tx.db.updateTable('threads').set({ name: session.title, metadata_json }).where('id', '=', `aix_session:${id}`).execute()
  await tx.db.deleteFrom('events').where('thread_id', '=', `aix_session:${id}`).execute()
  if (session.head_turn_id !== null) await announce(tx, id, session.head_turn_id, clock)
}

function countsOf(rows: ForgottenRows): Record<string, number> {
  const { sessions, messages, calls, sessionFields, messageFields, turnFields, events, pendingTitles } = rows
  const titles = sessionFields.filter(({ values }) => 'title' in values).length + pendingTitles.length
  const params = calls.filter(({ values }) => 'params_json' in values).length
  const results = calls.filter(({ values }) => 'result_json' in values).length
  const beside = [rows.eventFields, rows.threadFields, rows.threads, rows.people, rows.contacts, rows.series]
  const fields = beside.reduce((sum, { length }) => sum + length, sessionFields.length + messageFields.length + turnFields.length)
  return {
    sessions: sessions.length,
    messages: messages.length,
    call_params: params,
    call_results: results,
    titles,
    fields,
    events: events.length,
  }
}

/** The next analysis writes them again. */
export async function blankTurns(tx: WriteTx, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    await tx.db.updateTable('agent_turns').set({ label: null, summary: null, topics: null }).where('id', '=', id).execute()
  }
}

/** Analysis results may quote the removed data. */
async function blankSession(tx: WriteTx, id: string): Promise<void> {
  const nothing = { label: null, summary: null, topics: null, entity_ids: null }
  await tx.db.updateTable('agent_turns').set(nothing).where('session_id', '=', id).execute()
}

/** Sessions that it started, or that continue it, stay without the link. */
export async function removeSession(tx: WriteTx, id: string): Promise<void> {
  const session = await tx.db.selectFrom('agent_sessions').select(['source', 'native_id']).where('id', '=', id).executeTakeFirst()
  if (session === undefined) return
  const messages = await tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', id).execute()
  const own = tx.db.selectFrom('agent_turns').select('id').where('session_id', '=', id)
  await tx.db
    .updateTable('agent_turns')
    .set({ parent_turn_id: null })
    .where('session_id', '<>', id)
    .where('parent_turn_id', 'in', own)
    .execute()
  await removeRecords(tx, new Set(messages.map((message) => message.id)))
  await tx.db
    .updateTable('agent_sessions')
    .set({ parent_native_id: null, parent_message_id: null, tool_call_id: null })
    .where('source', '=', session.source)
    .where('parent_native_id', '=', session.native_id)
    .execute()
  await tx.db.updateTable('agent_tool_calls').set({ child_native_id: null }).where('child_session_id', '=', id).execute()
  const thread = `aix_session:${id}`
  await tx.db.deleteFrom('events').where('thread_id', '=', thread).execute()
  await tx.db.deleteFrom('threads').where('id', '=', thread).execute()
  await tx.db.deleteFrom('episode_waiting').where('thread_id', '=', thread).execute()
  await tx.db
    .updateTable('agent_messages')
    .set({ parent_id: null })
    .where('session_id', '<>', id)
    .where('parent_id', '>=', `${id}/`)
    .where('parent_id', '<', `${id}0`) // '0' follows '/'
    .execute()
  await tx.db.deleteFrom('agent_turns').where('session_id', '=', id).execute()
  await tx.db.deleteFrom('agent_sessions').where('id', '=', id).execute()
}
