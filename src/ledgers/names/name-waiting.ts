/** Names the sessions that wait for it: those of an older version, and those whose run was killed. A page in each transaction, so that it can stop. */
import type { Store, WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { NAMES_VERSION, nameSession } from './name-session.ts'

const PAGE = 100

export interface NameWaitingOptions {
  /** Runs inside each write transaction before anything is written. */
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

/** Returns how many sessions were named. */
export async function nameWaiting(store: Store, { guard, signal }: NameWaitingOptions): Promise<number> {
  let named = 0
  for (;;) {
    const ids = await waiting(store)
    if (ids.length === 0) return named
    signal?.throwIfAborted()
    await store.write(async (tx) => {
      await guard(tx)
      const tombstones = await tombstonesOf(tx)
      for (const id of ids) await nameSession(tx, id, tombstones)
    })
    named += ids.length
  }
}

/** Queues every session to be named anew. */
export async function nameAllAgain({ db }: WriteTx): Promise<void> {
  await db.updateTable('agent_sessions').set({ names_version: 0 }).execute()
}

async function waiting(store: Store): Promise<string[]> {
  const sessions = store.read.selectFrom('agent_sessions').select('id').limit(PAGE)
  const fresh = await sessions.where('names_version', '=', 0).execute()
  const rows = fresh.length > 0 ? fresh : await sessions.where('names_version', '<', NAMES_VERSION).execute()
  return rows.map(({ id }) => id)
}
