/**
 * Which thread a mail belongs to, when mails come in any order. Each names the oldest mail that it knows of (`thread_key`). Where that mail is there
 * and names an older one itself, the thread is that one's: so a reply that knows only its parent joins as soon as the parent is read.
 */
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { mailFacts } from './mail-facts.ts'

/** Follows what mails say of one another from each thread on, and moves the mails of those that are part of another. Gives the threads that are left. */
export async function joinThreads(tx: WriteTx, threads: Iterable<string>): Promise<Set<string>> {
  const left = new Set<string>()
  for (const thread of new Set(threads)) {
    const root = await rootOf(tx, thread)
    if (root !== thread) await moveMails(tx, thread, root)
    left.add(root)
  }
  return left
}

/** Mails that refer to one another in a circle belong to the first of them by name. */
async function rootOf(tx: WriteTx, thread: string): Promise<string> {
  const way = [thread]
  for (;;) {
    const at = way.at(-1) as string
    const [mail] = await mailById(tx.db, { id: at })
    if (mail === undefined) return at
    const next = `gmail:${mailFacts(mail.metadata_json).thread_key}`
    const before = way.indexOf(next)
    if (next === at) return at
    if (before !== -1) return way.slice(before).sort()[0] as string
    way.push(next)
  }
}

const mailById = compiledOnce((db, { id }: { id: string }) => db.selectFrom('events').select('metadata_json').where('id', '=', id))

async function moveMails(tx: WriteTx, from: string, to: string): Promise<void> {
  const row = await tx.db.selectFrom('threads').selectAll().where('id', '=', from).executeTakeFirst()
  if (row === undefined) return
  await tx.db
    .insertInto('threads')
    .values({ ...row, id: to, source_id: to.slice('gmail:'.length) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx.db.updateTable('events').set({ thread_id: to }).where('thread_id', '=', from).execute()
  await tx.db.deleteFrom('threads').where('id', '=', from).execute()
}

/** A thread is called what its first mail is about, and lasts from the first to the last. A thread without mails is removed. */
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

/** A subject without the `Re:` and `Fwd:` that programs put before it, in their languages. */
export function baseSubject(subject: string): string {
  let text = subject.trim()
  for (let i = 0; i < 20; i++) {
    const shorter = text.replace(PREFIX, '')
    if (shorter === text) break
    text = shorter
  }
  return text.trim()
}
