import type { Kysely } from 'kysely'
import { safeSessionLabel } from '../core/ids.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { safeTitleLine } from './chunk-row.ts'
import type { DocumentSession } from './document.ts'
import type { Group, ItemPage, Totals, Visited, VisitOptions } from './indexable.ts'
import { clipBelow, endsOf, settleNumbers } from './numbering.ts'
import { documentsOf, refreshSuperseded, refreshTitle, removeDocuments, removeSession, saveState } from './session-state.ts'
import type { TurnItem } from './spoken-rows.ts'

interface SessionToIndex extends DocumentSession {
  readonly title: string | null
  readonly status: 'active' | 'ended' | 'deleted'
}

type Db = Kysely<Tables>

export async function sessionToIndex(db: Db, id: string): Promise<SessionToIndex | undefined> {
  return (await sessionById(db, { id }))[0]
}

const sessionById = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('agent_sessions').select(['id', 'agent_id', 'label', 'started_at', 'title', 'status']).where('id', '=', id),
)

export async function openSession(db: Db, id: string, options: VisitOptions): Promise<Group | undefined> {
  const session = await sessionToIndex(db, id)
  if (session === undefined) return undefined
  const title = safeTitleLine(session.title)
  return {
    name: `session ${id}`,
    title,
    isGone: session.status === 'deleted',
    remove: (tx) => removeSession(tx.db, id),
    async begin(tx, again) {
      if (again || !(await pathsFollowLabel(tx.db, session))) await removeDocuments(tx.db, id)
      else await refreshTitle(tx.db, id, title)
      return (await lastWithDocument(tx.db, { id }))[0]?.sequence ?? -1
    },
    items: (from, page) => itemsOf(from, session, page),
    async numbers(tx, inside) {
      const { least, greatest } = await endsOf(tx.db, id)
      return least >= 0 && !inside ? { first: greatest + 1, step: 1 } : { first: Math.min(least, 0) - 1, step: -1 }
    },
    async appended(tx, next) {
      if (next > options.maxChunks) await clipBelow(tx.db, id, next - options.maxChunks)
    },
    settle: (tx, totals, isLastTry) => settle(tx, { session, totals, isLastTry }, options),
  }
}

const lastWithDocument = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_turns as t')
    .innerJoin('files as f', 'f.turn_id', 't.id')
    .select('t.sequence')
    .where('t.session_id', '=', id)
    .orderBy('t.sequence', 'desc')
    .limit(1),
)

async function itemsOf(db: Db, session: SessionToIndex, { all, ...page }: ItemPage): Promise<TurnItem[]> {
  const rows = await (all ? allTurns : turnsWithoutDocument)(db, { id: session.id, ...page })
  return rows.map((row) => ({ ...row, kind: row.turn_type === 'compaction' ? 'compaction' : 'turn', session }))
}

type TurnPage = Omit<ItemPage, 'all'> & { readonly id: string }

const allTurns = compiledOnce(turnsBehind)
const turnsWithoutDocument = compiledOnce((db, page: TurnPage) =>
  turnsBehind(db, page).where((eb) => eb.or([eb('i.id', 'is', null), eb('i.hash', '=', '')])),
)

function turnsBehind(db: Db, { id, after, limit }: TurnPage) {
  return (
    db
      .selectFrom('agent_turns as t')
      // Not the view: SQLite would read all of it.
      .leftJoin('index_files as i', 'i.turn_id', 't.id')
      .select((eb) => [eb.selectFrom('files').select('files.path').whereRef('files.id', '=', 'i.id').as('path')])
      .select((eb) => [eb.selectFrom('files').select('files.hash').whereRef('files.id', '=', 'i.id').as('hash')])
      .select((eb) => [eb.selectFrom('files').select('files.identity').whereRef('files.id', '=', 'i.id').as('identity')])
      .select(['i.id as file', 't.id', 't.sequence', 't.turn_type', 't.status', 't.timestamp'])
      .where('t.session_id', '=', id)
      .where('t.sequence', '>', after)
      .orderBy('t.sequence')
      .limit(limit)
  )
}

/** False after the label changed. */
async function pathsFollowLabel(db: Db, { id, label }: SessionToIndex): Promise<boolean> {
  const [ends] = await endsOfPaths(db, { id })
  const prefix = `sessions/${safeSessionLabel(label)}/`
  // If the first and last path share the prefix, all do.
  return !ends?.first || (ends.first.startsWith(prefix) && ends.last.startsWith(prefix))
}

const endsOfPaths = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('files')
    .select((eb) => [eb.fn.min('path').as('first'), eb.fn.max('path').as('last')])
    .where('session_id', '=', id),
)

interface Settling {
  readonly session: SessionToIndex
  readonly totals: Totals
  readonly isLastTry: boolean
}

async function settle(tx: WriteTx, { session, totals, isLastTry }: Settling, options: VisitOptions): Promise<Visited | undefined> {
  const { db } = tx
  const made = await documentsOf(db, session.id)
  const whole = await settleNumbers(db, session.id, { total: made.chunks, cap: options.maxChunks })
  if (!whole && !isLastTry) return undefined
  await refreshSuperseded(db, session.id)
  const kept = Math.min(made.chunks, options.maxChunks)
  const state = {
    session_id: session.id,
    file_path: (await firstPath(db, { id: session.id }))[0]?.path ?? `sessions/${safeSessionLabel(session.label)}`,
    file_hash: made.hash,
    chunk_count: kept,
    status: totals.errors.size > 0 || !whole ? 'failed' : kept < made.chunks || made.shortened ? 'partial' : 'complete',
  } as const
  await saveState(db, state, options.clock())
  return {
    name: `session ${session.id}`,
    sessionId: session.id,
    // Counts only what remains.
    documents: Math.min(totals.documents, made.documents),
    chunks: Math.min(totals.chunks, kept),
    unchanged: Math.max(0, made.documents - totals.documents),
    removed: 0,
    leftOut: made.chunks - kept,
    errors: [...totals.errors],
    shortened: [...totals.shortened],
  }
}

const firstPath = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('sync_state').select('path').where('session_id', '=', id).orderBy('path').limit(1),
)
