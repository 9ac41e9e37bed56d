import type { Kysely } from 'kysely'
import { withTitle } from '../core/chunk-text.ts'
import { sha256 } from '../core/hash.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'

const BATCH = 200

/** The first and last chunk show a change. */
export async function refreshTitle(db: Kysely<Tables>, sessionId: string, title: string): Promise<void> {
  for (const contextAtEnd of contextsAtEnds) {
    const [row] = await contextAtEnd(db, { sessionId })
    if (row === undefined) return
    if (row.context === withTitle(row.context, title)) continue
    const rows = await db.selectFrom('chunks').select(['id', 'context']).where('session_id', '=', sessionId).execute()
    for (const { id, context } of rows) {
      const fresh = withTitle(context, title)
      if (fresh !== context) await db.updateTable('chunks').set({ context: fresh }).where('id', '=', id).execute()
    }
    return
  }
}

const contextsAtEnds = (['asc', 'desc'] as const).map((order) =>
  compiledOnce((db, { sessionId }: { sessionId: string }) =>
    db.selectFrom('chunks').select('context').where('session_id', '=', sessionId).orderBy('chunk_index', order).limit(1),
  ),
)

const wronglyMarked = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom('chunks as c')
    .innerJoin('agent_turns as t', 't.id', 'c.turn_id')
    .select(['c.id', 't.status'])
    .where('c.session_id', '=', sessionId)
    .where((eb) =>
      eb.or([
        eb.and([eb('t.status', '=', 'superseded'), eb('c.superseded', '=', 0)]),
        eb.and([eb('t.status', '<>', 'superseded'), eb('c.superseded', '=', 1)]),
      ]),
    ),
)

/** After a branch switch. */
export async function refreshSuperseded(db: Kysely<Tables>, sessionId: string): Promise<void> {
  const rows = await wronglyMarked(db, { sessionId })
  for (const superseded of [0, 1]) {
    const ids = rows.filter((row) => Number(row.status === 'superseded') === superseded).map((row) => row.id)
    for (let i = 0; i < ids.length; i += BATCH) {
      await db
        .updateTable('chunks')
        .set({ superseded })
        .where('id', 'in', ids.slice(i, i + BATCH))
        .execute()
    }
  }
}

export interface DocumentsOfSession {
  readonly documents: number
  /** Includes chunks beyond the cap. */
  readonly chunks: number
  readonly shortened: boolean
  readonly hash: string
}

const documentsInOrder = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom('agent_turns as t')
    .innerJoin('files as f', 'f.turn_id', 't.id')
    .select(['f.hash', 'f.chunk_count', 'f.shortened'])
    .where('t.session_id', '=', sessionId)
    .orderBy('t.sequence'),
)

export async function documentsOf(db: Kysely<Tables>, sessionId: string): Promise<DocumentsOfSession> {
  const rows = await documentsInOrder(db, { sessionId })
  return {
    documents: rows.length,
    chunks: rows.reduce((sum, row) => sum + row.chunk_count, 0),
    shortened: rows.some((row) => row.shortened !== null),
    hash: `sha256:${sha256(rows.map((row) => row.hash).join('\n'))}`,
  }
}

export interface StateRow {
  readonly session_id: string
  readonly file_path: string
  readonly file_hash: string
  readonly chunk_count: number
  readonly status: 'complete' | 'partial' | 'failed'
}

/** An equal row keeps its time. */
export async function saveState(db: Kysely<Tables>, state: StateRow, now: number): Promise<void> {
  const [known] = await stateOf(db, { sessionId: state.session_id })
  const same =
    known !== undefined && (['file_path', 'file_hash', 'chunk_count', 'status'] as const).every((column) => known[column] === state[column])
  if (!same) await putState(db, { ...state, last_indexed: now })
}

const stateOf = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db.selectFrom('index_state').selectAll().where('session_id', '=', sessionId),
)

const putState = compiledOnce((db, row: StateRow & { readonly last_indexed: number }) => {
  const { session_id, file_path, file_hash, chunk_count, status, last_indexed } = row
  const values = { file_path, file_hash, chunk_count, status, last_indexed }
  return db
    .insertInto('index_state')
    .values({ session_id, ...values })
    .onConflict((on) => on.column('session_id').doUpdateSet(values))
})

/** Chunks and full-text rows cascade. */
export async function removeDocuments(db: Kysely<Tables>, sessionId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('index_files')
    .where('session', '=', (eb) => eb.selectFrom('index_sessions').select('number').where('id', '=', sessionId))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function removeSession(db: Kysely<Tables>, sessionId: string): Promise<number> {
  await db.deleteFrom('index_state').where('session_id', '=', sessionId).execute()
  return removeDocuments(db, sessionId)
}
