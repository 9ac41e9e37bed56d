/** One transaction per page, so that it can stop. */
import type { Store, WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { NAMES_VERSION, nameSession } from './name-session.ts'

const PAGE = 100

export interface NameWaitingOptions {
  /** Runs first in each write transaction. */
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

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

export async function nameAllAgain({ db }: WriteTx): Promise<void> {
  await db.updateTable('agent_sessions').set({ names_version: 0 }).execute()
}

async function waiting(store: Store): Promise<string[]> {
  const sessions = store.read.selectFrom('agent_sessions').select('id').limit(PAGE)
  const fresh = await sessions.where('names_version', '=', 0).execute()
  const rows = fresh.length > 0 ? fresh : await sessions.where('names_version', '<', NAMES_VERSION).execute()
  return rows.map(({ id }) => id)
}
