/** Recomputes direction, threads and trust of changed mails, in every sync. */
import { throwIfStopped } from '../../core/stopped.ts'
import { META, readMeta, removeMeta, writeMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { peopleOf } from '../people/event-people.ts'
import { mailDirection, mailFacts } from './mail-facts.ts'
import { describeThreads, joinThreads } from './mail-threads.ts'
import { recheckTrust, settleTrust } from './mail-trust.ts'

const AT_ONCE = 500

export interface SettleMailOptions {
  readonly owners: readonly string[]
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export async function settleMail(store: Store, { owners: addresses, guard, signal }: SettleMailOptions): Promise<void> {
  const owners = new Set(addresses)
  const write = <T>(work: (tx: WriteTx) => Promise<T>) =>
    store.write(async (tx) => {
      await guard(tx)
      return work(tx)
    })
  await followOwners(store, owners, write, signal)
  const raised = new Set<string>()
  while ((await store.read.selectFrom('mail_waiting').select('event_id').limit(1).executeTakeFirst()) !== undefined) {
    throwIfStopped(signal, 'sync')
    await write((tx) => settleSome(tx, owners, raised))
  }
  if ((await readMeta(store.read, META.mailRecheck)) === undefined) return
  await write(async (tx) => {
    await recheckTrust(tx, owners)
    await removeMeta(tx.db, META.mailRecheck)
  })
}

type Write = <T>(work: (tx: WriteTx) => Promise<T>) => Promise<T>

async function followOwners(store: Store, owners: ReadonlySet<string>, write: Write, signal: AbortSignal | undefined): Promise<void> {
  const now = JSON.stringify([...owners].sort())
  const before = await readMeta(store.read, META.mailOwners)
  if (before === now) return
  const old = new Set(before === undefined ? [] : (JSON.parse(before) as string[]))
  const others = new Set([...owners, ...old].filter((address) => !owners.has(address) || !old.has(address)))
  for (let after: string | undefined = ''; after !== undefined; ) {
    throwIfStopped(signal, 'sync')
    const from: string = after
    after = await write((tx) => turnSome(tx, { owners, others, after: from }))
  }
  // Changed owner addresses also change who was written to.
  await write(async (tx) => {
    await recheckTrust(tx, owners)
    await writeMeta(tx.db, META.mailOwners, now)
  })
}

async function turnSome(
  tx: WriteTx,
  { owners, others, after }: { readonly owners: ReadonlySet<string>; readonly others: ReadonlySet<string>; readonly after: string },
): Promise<string | undefined> {
  const mails = await tx.db
    .selectFrom('events')
    .select(['id', 'direction', 'metadata_json'])
    .where('source_adapter', '=', 'gmail')
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const people = await peopleOf(
    tx,
    mails.map(({ id }) => id),
  )
  for (const { id, direction, metadata_json } of mails) {
    const now = mailDirection(people.get(id) ?? [], mailFacts(metadata_json), owners)
    // Trust depends on whether the sender is the owner.
    if (people.get(id)?.some(({ role, handle }) => role === 'from' && others.has(handle))) await waits(tx, id)
    if (now === direction) continue
    await tx.db
      .updateTable('events')
      .set({ direction: now, trust: now === 'sent' ? 'owner' : 'untrusted' })
      .where('id', '=', id)
      .execute()
  }
  return mails.at(-1)?.id
}

async function waits(tx: WriteTx, event_id: string): Promise<void> {
  await tx.db
    .insertInto('mail_waiting')
    .values({ event_id })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute()
}

async function settleSome(tx: WriteTx, owners: ReadonlySet<string>, raised: Set<string>): Promise<void> {
  const waiting = await tx.db
    .selectFrom('mail_waiting as w')
    .innerJoin('events as e', 'e.id', 'w.event_id')
    .select(['e.id', 'e.direction', 'e.trust', 'e.thread_id', 'e.metadata_json'])
    .orderBy('w.event_id')
    .limit(AT_ONCE)
    .execute()
  const ids = waiting.map(({ id }) => id)
  if (ids.length === 0) return
  const people = await peopleOf(tx, ids)
  await settleTrust(
    tx,
    waiting.map((mail) => ({ ...mail, people: people.get(mail.id) ?? [] })),
    { owners, raised },
  )
  await describeThreads(tx, await joinThreads(tx, waiting))
  await tx.db.deleteFrom('mail_waiting').where('event_id', 'in', ids).execute()
}
