import type { Store, WriteTx } from '../store/store.ts'
import { removeSession } from './session-state.ts'

export interface Cleaned {
  readonly documents: number
  readonly chunks: number
}

/** Orphans lack their ledger record. A missing source makes none. */
export async function clean(store: Store, check: (tx: WriteTx) => Promise<void>): Promise<Cleaned> {
  let documents = 0
  for (const { id } of await deletedSessions(store)) {
    documents += await store.write(async (tx) => {
      await check(tx)
      return removeSession(tx.db, id)
    })
  }
  return { documents, chunks: await removeOrphans(store, check) }
}

async function deletedSessions(store: Store): Promise<{ id: string }[]> {
  return store.read
    .selectFrom('agent_sessions as s')
    .select('s.id')
    .where('s.status', '=', 'deleted')
    .where((eb) => eb.exists(eb.selectFrom('files as f').select('f.path').whereRef('f.session_id', '=', 's.id')))
    .execute()
}

const BATCH = 100

async function removeOrphans(store: Store, check: (tx: WriteTx) => Promise<void>): Promise<number> {
  const orphans = await store.read
    .selectFrom('chunks as c')
    .leftJoin('agent_turns as t', 't.id', 'c.turn_id')
    .select('c.id')
    .where('c.source', '=', 'sessions')
    .where('t.id', 'is', null)
    .execute()
  for (let i = 0; i < orphans.length; i += BATCH) {
    await store.write(async (tx) => {
      await check(tx)
      await tx.db
        .deleteFrom('chunks')
        .where(
          'id',
          'in',
          orphans.slice(i, i + BATCH).map((row) => row.id),
        )
        .execute()
    })
  }
  return orphans.length
}
