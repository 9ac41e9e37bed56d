/** If the owner's handles changed, re-evaluates every meeting from stored facts. */
import type { Owner } from '../../config/owner.ts'
import { given } from '../../core/given.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { peopleOf } from '../people/event-people.ts'
import { type MeetingFacts, seenByOwner } from './meeting-facts.ts'

const AT_ONCE = 500

export interface SettleMeetingsOptions {
  readonly owner: Pick<Owner, 'emails' | 'phones'>
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export async function settleMeetings(store: Store, { owner: { emails, phones }, guard, signal }: SettleMeetingsOptions): Promise<void> {
  const now = JSON.stringify({ emails: [...emails].sort(), phones: [...phones].sort() })
  if ((await readMeta(store.read, META.meetingOwners)) === now) return
  const { ownHandles } = await import('../people/own-handles.ts')
  const own = ownHandles({ emails, phones })
  for (let after: string | undefined = ''; after !== undefined; ) {
    throwIfStopped(signal, 'sync')
    const from: string = after
    after = await store.write(async (tx) => {
      await guard(tx)
      return settleSome(tx, own, from)
    })
  }
  await store.write(async (tx) => {
    await guard(tx)
    await writeMeta(tx.db, META.meetingOwners, now)
  })
}

async function settleSome(tx: WriteTx, own: ReadonlySet<string>, after: string): Promise<string | undefined> {
  const meetings = await tx.db
    .selectFrom('events')
    .select(['id', 'direction', 'trust', 'metadata_json'])
    .where('source_adapter', '=', 'calendar')
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const people = await peopleOf(
    tx,
    meetings.map(({ id }) => id),
  )
  for (const { id, direction, trust, metadata_json } of meetings) {
    const { answer: before, ...facts } = JSON.parse(metadata_json ?? '{}') as MeetingFacts & { answer?: string }
    const { answer, ...seen } = seenByOwner(people.get(id) ?? [], facts, (handle) => own.has(handle))
    if (seen.direction === direction && seen.trust === trust && answer === before) continue
    const metadata = JSON.stringify({ ...facts, ...given({ answer }) })
    await tx.db
      .updateTable('events')
      .set({ ...seen, metadata_json: metadata })
      .where('id', '=', id)
      .execute()
  }
  return meetings.at(-1)?.id
}
