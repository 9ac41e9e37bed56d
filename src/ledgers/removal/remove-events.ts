import type { WriteTx } from '../../store/store.ts'
import type { EventPerson } from '../event-record.ts'
import { describeThreads } from '../mail/mail-threads.ts'
import { namesOf } from '../people/names-of.ts'
import { changeSeriesPart, removeSeriesPart } from '../series-parts.ts'
import { dropAnswers } from './drop-answers.ts'
import type { ForgottenRows } from './find-forgotten.ts'

const AT_ONCE = 400

export async function removeFromEvents(tx: WriteTx, rows: ForgottenRows): Promise<void> {
  const threads = await threadsOf(tx, rows)
  const met = await handlesOf(tx, rows)
  const called = await namesOf(tx.db, met)
  for (const id of rows.events) await tx.db.deleteFrom('events').where('id', '=', id).execute()
  for (const { id, values } of rows.eventFields) {
    await tx.db.updateTable('events').set(values).where('id', '=', id).execute()
    await dropEpisodesWith(tx, id)
  }
  await changePeople(tx, rows)
  await dropFormerNames(tx, { met, called })
  for (const { series, part, values } of rows.series) {
    if (values === undefined) await removeSeriesPart(tx, { series, part })
    else await changeSeriesPart(tx, { series, part }, values)
  }
  for (const { id, values } of rows.threadFields) {
    await tx.db.updateTable('threads').set(values).where('id', '=', id).execute()
    await tx.db.deleteFrom('episodes').where('thread_id', '=', id).execute()
    await dropAnswers(tx, tx.db.selectFrom('events').select('id').where('thread_id', '=', id))
  }
  for (const { id, name } of rows.threads) await renameThread(tx, id, name)
  const named = new Map(rows.threads.map(({ id, name }) => [id, name]))
  await settleThreads(tx, new Set([...threads].map((id) => named.get(id) ?? id)))
}

async function handlesOf(tx: WriteTx, { events, people }: ForgottenRows): Promise<string[]> {
  const handles = new Set<string>()
  const ids = [...new Set([...events, ...people.map(({ event_id }) => event_id)])]
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const named = tx.db.selectFrom('event_people').select('handle').distinct().where('name', 'is not', null)
    for (const { handle } of await named.where('event_id', 'in', ids.slice(at, at + AT_ONCE)).execute()) handles.add(handle)
  }
  return [...handles]
}

/** Other conversations may show a name from removed data: rebuild them. */
async function dropFormerNames(
  tx: WriteTx,
  { met, called }: { met: readonly string[]; called: ReadonlyMap<string, string> },
): Promise<void> {
  const now = await namesOf(tx.db, met)
  for (const handle of met.filter((one) => called.get(one) !== now.get(one))) await dropEpisodesOf(tx, handle)
}

async function dropEpisodesOf(tx: WriteTx, handle: string): Promise<void> {
  const events = await tx.db.selectFrom('event_people').select('event_id').distinct().where('handle', '=', handle).execute()
  for (const { event_id } of events) await dropEpisodesWith(tx, event_id)
}

async function threadsOf(tx: WriteTx, rows: ForgottenRows): Promise<Set<string>> {
  const threads = new Set<string>(rows.series.flatMap(({ series, values }) => (values === undefined ? [`calendar:${series}`] : [])))
  for (const id of [...rows.events, ...rows.eventFields.map((event) => event.id)]) {
    const row = await tx.db.selectFrom('events').select('thread_id').where('id', '=', id).executeTakeFirst()
    if (typeof row?.thread_id === 'string') threads.add(row.thread_id)
  }
  return threads
}

/** Also deletes documents and derived data; the thread is queued for regrouping. */
async function dropEpisodesWith(tx: WriteTx, event: string): Promise<void> {
  const members = tx.db.selectFrom('episode_members').select('episode_id').where('event_id', '=', event)
  await tx.db.deleteFrom('episodes').where('id', 'in', members).execute()
  await dropAnswers(tx, [event])
}

async function changePeople(tx: WriteTx, { people, contacts, books }: ForgottenRows): Promise<void> {
  for (const { event_id, role, handle, isGone } of people) {
    const one = { event_id, role: role as EventPerson['role'], handle }
    if (isGone)
      await tx.db
        .deleteFrom('event_people')
        .where((eb) => eb.and(one))
        .execute()
    else
      await tx.db
        .updateTable('event_people')
        .set({ name: null })
        .where((eb) => eb.and(one))
        .execute()
    await dropEpisodesWith(tx, event_id)
  }
  for (const contact of contacts) {
    await tx.db
      .deleteFrom('contacts')
      .where((eb) => eb.and(contact))
      .execute()
    await dropEpisodesOf(tx, contact.handle)
  }
  for (const { unit, name } of books) {
    // A reread address book already has current names.
    await tx.db.deleteFrom('contacts').where('unit', '=', name).execute()
    await tx.db.updateTable('contacts').set({ unit: name }).where('unit', '=', unit).execute()
  }
}

/** Its events stay together under a pseudonym. */
async function renameThread(tx: WriteTx, id: string, name: string): Promise<void> {
  const row = await tx.db.selectFrom('threads').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return
  await tx.db.deleteFrom('episodes').where('thread_id', '=', id).execute()
  await tx.db
    .insertInto('threads')
    .values({ ...row, id: name, source_id: name.slice(name.indexOf(':') + 1) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx.db.updateTable('events').set({ thread_id: name }).where('thread_id', '=', id).execute()
  await tx.db.updateTable('threads').set({ parent_thread_id: name }).where('parent_thread_id', '=', id).execute()
  await tx.db.deleteFrom('threads').where('id', '=', id).execute()
  await tx.db.deleteFrom('episode_waiting').where('thread_id', '=', id).execute()
}

/** Deletes empty threads; mail threads are renamed after their first remaining mail. */
async function settleThreads(tx: WriteTx, threads: ReadonlySet<string>): Promise<void> {
  await describeThreads(
    tx,
    [...threads].filter((id) => id.startsWith('gmail:')),
  )
  for (let at: string[] = [...threads]; at.length > 0; ) {
    const parents: string[] = []
    for (const id of at) {
      const row = await tx.db.selectFrom('threads').select('parent_thread_id').where('id', '=', id).executeTakeFirst()
      if (row !== undefined && (await isEmpty(tx, id))) {
        // Events derived from the thread belong to it too.
        await tx.db.deleteFrom('events').where('thread_id', '=', id).execute()
        await tx.db.deleteFrom('threads').where('id', '=', id).execute()
        if (row.parent_thread_id !== null) parents.push(row.parent_thread_id)
      }
      if (row === undefined || !(await isThere(tx, id))) await tx.db.deleteFrom('episode_waiting').where('thread_id', '=', id).execute()
    }
    at = parents
  }
}

async function isThere(tx: WriteTx, id: string): Promise<boolean> {
  return (await tx.db.selectFrom('threads').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

async function isEmpty(tx: WriteTx, id: string): Promise<boolean> {
  const event = tx.db.selectFrom('events').select('id').where('thread_id', '=', id).where('source_adapter', '<>', 'derived')
  const child = tx.db.selectFrom('threads').select('id').where('parent_thread_id', '=', id)
  const series = tx.db.selectFrom('series_parts').select('series').where('thread_id', '=', id)
  const [first, under, rule] = await Promise.all([event.limit(1).execute(), child.limit(1).execute(), series.limit(1).execute()])
  return first.length + under.length + rule.length === 0
}
