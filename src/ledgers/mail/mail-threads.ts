/**
 * Threads mail that arrives in any order. `thread_key` names the oldest mail that each mail knows; keys are followed transitively, so a
 * reply joins once its parent is read.
 */
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { mailFacts } from './mail-facts.ts'

export interface ThreadedMail {
  readonly id: string
  readonly thread_id: string | null
  readonly metadata_json: string | null
}

/** Also rechecks mails in the same thread, or in one named after the mail. Returns the threads that may have changed. */
export async function joinThreads(tx: WriteTx, mails: readonly ThreadedMail[]): Promise<Set<string>> {
  const touched = new Set<string>()
  // Keys do not change during the move, so paths are cached.
  const roots = new Map<string, string>()
  const named = await tx.db
    .selectFrom('threads')
    .select('id')
    .where(
      'id',
      'in',
      mails.map(({ id }) => id),
    )
    .execute()
  const unsure = new Set(named.map(({ id }) => id))
  for (const { thread_id, metadata_json } of mails) {
    if (thread_id === null) continue
    touched.add(thread_id)
    if (!unsure.has(thread_id) && (await rootOf(tx, keyOf(metadata_json), roots)) !== thread_id) unsure.add(thread_id)
  }
  for (const thread of unsure) {
    touched.add(thread)
    const members = await tx.db.selectFrom('events').select(['id', 'metadata_json']).where('thread_id', '=', thread).execute()
    for (const { id, metadata_json } of members) {
      const root = await rootOf(tx, keyOf(metadata_json), roots)
      if (root === thread) continue
      touched.add(root)
      await moveMail(tx, id, { from: thread, to: root })
    }
  }
  return touched
}

function keyOf(metadata: string | null): string {
  return `gmail:${mailFacts(metadata).thread_key}`
}

/** Cyclic references resolve to the first by name. `roots` caches all steps. */
async function rootOf(tx: WriteTx, thread: string, roots: Map<string, string>): Promise<string> {
  const way = new Set<string>()
  let root: string | undefined
  for (let at = thread; root === undefined; ) {
    root = roots.get(at)
    if (root !== undefined) break
    way.add(at)
    const [mail] = await mailById(tx.db, { id: at })
    const next = mail === undefined ? at : keyOf(mail.metadata_json)
    if (next === at) root = at
    else if (way.has(next)) {
      const steps = [...way]
      root = steps.slice(steps.indexOf(next)).sort()[0] as string
    }
    at = next
  }
  for (const step of way) roots.set(step, root)
  return root
}

const mailById = compiledOnce((db, { id }: { id: string }) => db.selectFrom('events').select('metadata_json').where('id', '=', id))

async function moveMail(tx: WriteTx, id: string, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const row = await tx.db.selectFrom('threads').selectAll().where('id', '=', from).executeTakeFirstOrThrow()
  await tx.db
    .insertInto('threads')
    .values({ ...row, id: to, source_id: to.slice('gmail:'.length) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx.db.updateTable('events').set({ thread_id: to }).where('id', '=', id).execute()
}

export async function describeThreads(tx: WriteTx, threads: Iterable<string>): Promise<void> {
  const tombstones = await tombstonesOf(tx)
  for (const id of threads) {
    const [thread] = await threadById(tx.db, { id })
    if (thread === undefined) continue
    const [first] = await firstMail(tx.db, { id })
    const [last] = await lastMail(tx.db, { id })
    if (first === undefined || last === undefined) {
      await tx.db.deleteFrom('threads').where('id', '=', id).execute()
      continue
    }
    const subject = baseSubject(mailFacts(first.metadata_json).subject ?? '')
    const name = subject === '' || tombstones?.holds('value', subject) ? null : subject
    if (thread.name === name && thread.created_at === first.timestamp && thread.updated_at === last.timestamp) continue
    await tx.db.updateTable('threads').set({ name, created_at: first.timestamp, updated_at: last.timestamp }).where('id', '=', id).execute()
  }
}

const threadById = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('threads').select(['name', 'created_at', 'updated_at']).where('id', '=', id),
)
const firstMail = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('events').select(['timestamp', 'metadata_json']).where('thread_id', '=', id).orderBy('timestamp').orderBy('id').limit(1),
)
const lastMail = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('events').select('timestamp').where('thread_id', '=', id).orderBy('timestamp', 'desc').limit(1),
)

const PREFIX =
  /^\s*(?:(?:re|aw|antw|antwort|sv|vs|odp|rv|res|ref|回复|回覆|答复|fwd?|wg|tr|rv|enc|i|vl|pd|doorst|转发|轉寄)(?:\s*\[\d{1,3}\]|\s*\(\d{1,3}\))?\s*[:：]\s*)/i

export function baseSubject(subject: string): string {
  let text = subject.trim()
  for (let i = 0; i < 20; i++) {
    const shorter = text.replace(PREFIX, '')
    if (shorter === text) break
    text = shorter
  }
  return text.trim()
}
