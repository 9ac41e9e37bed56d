/** Prevents publishing data that was forgotten after it was read. */
import { readMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { TOMBSTONE_REVISION } from '../../tombstones/write-tombstones.ts'

/** The data changed since it was read: read again. */
export class LedgerMoved extends Error {}

/** Changes with the session, a rewind, or any forget. */
export async function ledgerMark(db: Store['read'], sessionId: string): Promise<string> {
  const session = await db.selectFrom('agent_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  const history = await db
    .selectFrom('agent_session_history')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  const forgotten = await readMeta(db, TOMBSTONE_REVISION)
  return JSON.stringify([session ?? null, history?.last ?? null, forgotten ?? null])
}

/** Call in the publishing transaction. Throws LedgerMoved. */
export async function checkMark(tx: WriteTx, sessionId: string, mark: string): Promise<void> {
  if ((await ledgerMark(tx.db, sessionId)) !== mark) throw new LedgerMoved(`${sessionId} changed while it was published`)
}

const MOST_TRIES = 20

/** Restarts `work` if the ledger changed. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LedgerMoved) || tries === MOST_TRIES) throw error
    }
  }
}
