/** Numbers chunks in turn order, whatever the write order, and keeps the newest within the cap. */
import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'

const [leastNumber, greatestNumber] = (['asc', 'desc'] as const).map((order) =>
  compiledOnce((db, { sessionId }: { sessionId: string }) =>
    db.selectFrom('chunks').select('chunk_index').where('session_id', '=', sessionId).orderBy('chunk_index', order).limit(1),
  ),
) as [NumberOf, NumberOf]
type NumberOf = (db: Kysely<Tables>, values: { sessionId: string }) => Promise<{ chunk_index: number }[]>

/** 0 and -1 without chunks. */
export async function endsOf(db: Kysely<Tables>, sessionId: string): Promise<{ least: number; greatest: number }> {
  const [greatest] = await greatestNumber(db, { sessionId })
  if (greatest === undefined) return { least: 0, greatest: -1 }
  const [least] = await leastNumber(db, { sessionId })
  return { least: least?.chunk_index ?? 0, greatest: greatest.chunk_index }
}

const chunksOfSession = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom('chunks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('session_id', '=', sessionId),
)

async function countChunks(db: Kysely<Tables>, sessionId: string): Promise<number> {
  return (await chunksOfSession(db, { sessionId }))[0]?.count ?? 0
}

export async function clipBelow(db: Kysely<Tables>, sessionId: string, least: number): Promise<void> {
  await db.deleteFrom('chunks').where('session_id', '=', sessionId).where('chunk_index', '>=', 0).where('chunk_index', '<', least).execute()
}

/** Renumbers up to `total - 1` and drops the oldest. False: chunks are missing, rewrite. */
export async function settleNumbers(
  db: Kysely<Tables>,
  sessionId: string,
  { total, cap }: { total: number; cap: number },
): Promise<boolean> {
  const kept = Math.min(total, cap)
  const count = await countChunks(db, sessionId)
  if (count < kept) return false
  const { least, greatest } = await endsOf(db, sessionId)
  if (count === kept && least === (kept === 0 ? 0 : total - kept) && greatest === (kept === 0 ? -1 : total - 1)) return true
  const rows = await db
    .selectFrom('chunks as c')
    .innerJoin('agent_turns as t', 't.id', 'c.turn_id')
    .select(['c.id', 'c.chunk_index'])
    .where('c.session_id', '=', sessionId)
    .orderBy('t.sequence')
    .orderBy('c.id') // ascending within a document
    .execute()
  const dropped = rows.slice(0, rows.length - kept)
  const moved = rows
    .slice(rows.length - kept)
    .map((row, i) => ({ id: row.id, from: row.chunk_index, to: total - kept + i }))
    .filter((row) => row.from !== row.to)
  await inBatches(dropped, (batch) =>
    db
      .deleteFrom('chunks')
      .where(
        'id',
        'in',
        batch.map((row) => row.id),
      )
      .execute(),
  )
  // Numbers are unique, so moved chunks first get negative ones.
  await inBatches(moved, (batch) =>
    db
      .updateTable('chunks')
      .set((eb) => ({ chunk_index: eb(eb.val(ASIDE), '-', eb.ref('id')) }))
      .where(
        'id',
        'in',
        batch.map((row) => row.id),
      )
      .execute(),
  )
  for (const { id, to } of moved) await db.updateTable('chunks').set({ chunk_index: to }).where('id', '=', id).execute()
  return rows.length >= kept
}

/** Below provisional numbers. */
const ASIDE = -1_000_000_000
const BATCH = 200

async function inBatches<T>(rows: readonly T[], work: (batch: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) await work(rows.slice(i, i + BATCH))
}
