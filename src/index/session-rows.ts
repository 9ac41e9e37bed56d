/** What a visit reads of one session in the ledger, and what it removes of its documents. Never writes a ledger table. */
import type { Kysely } from 'kysely'
import { safeSessionLabel } from '../core/ids.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'
import { type DocumentRow, type DocumentSession, type DocumentTurn, INDEXED_DOCUMENT, READ_MESSAGE } from './document.ts'

export interface SessionToIndex extends DocumentSession {
  readonly title: string | null
  readonly status: 'active' | 'ended' | 'deleted'
}

export interface TurnToIndex extends DocumentTurn {
  readonly session_id: string
  readonly sequence: number
  /** Of its document, where it has one. An empty hash is a document whose writing was broken off. */
  readonly path: string | null
  readonly hash: string | null
  readonly identity: string | null
}

const sessionById = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('agent_sessions').select(['id', 'agent_id', 'label', 'started_at', 'title', 'status']).where('id', '=', id),
)

export async function sessionToIndex(db: Kysely<Tables>, id: string): Promise<SessionToIndex | undefined> {
  return (await sessionById(db, { id }))[0]
}

export interface TurnPage {
  readonly sessionId: string
  /** Turns behind this sequence. */
  readonly after: number
  readonly limit: number
  /** Also turns that have a whole document. */
  readonly all: boolean
}

type Page = Omit<TurnPage, 'all'>

const allTurns = compiledOnce(turnsBehind)
const turnsWithoutDocument = compiledOnce((db, page: Page) =>
  turnsBehind(db, page).where((is) => is.or([is('i.id', 'is', null), is('i.hash', '=', '')])),
)

function turnsBehind(db: Kysely<Tables>, { sessionId, after, limit }: Page) {
  return (
    db
      .selectFrom('agent_turns as t')
      // The table itself: as a view with two tables in it, it would be read whole.
      .leftJoin('index_files as i', 'i.turn_id', 't.id')
      .select((is) => [is.selectFrom('files').select('files.path').whereRef('files.id', '=', 'i.id').as('path')])
      .select((is) => [is.selectFrom('files').select('files.hash').whereRef('files.id', '=', 'i.id').as('hash')])
      .select((is) => [is.selectFrom('files').select('files.identity').whereRef('files.id', '=', 'i.id').as('identity')])
      .select(['t.id', 't.session_id', 't.sequence', 't.turn_type', 't.status', 't.timestamp'])
      .where('t.session_id', '=', sessionId)
      .where('t.sequence', '>', after)
      .orderBy('t.sequence')
      .limit(limit)
  )
}

/** The next turns of a session in order: those without a whole document, or all. */
export async function turnsToIndex(db: Kysely<Tables>, { all, ...page }: TurnPage): Promise<TurnToIndex[]> {
  return all ? allTurns(db, page) : turnsWithoutDocument(db, page)
}

/** In bytes. */
const LONG = 64 << 10

/** A list of fixed length makes one statement for any number of turns; what is left over of it is empty. */
const TURNS_AT_ONCE = 64

const spokenInTurns = compiledOnce((db, turns: Readonly<Record<number, string | null>>) =>
  db
    .selectFrom('agent_messages')
    .select(['id', 'turn_id', 'native_id', 'role', 'kind', 'timestamp', 'speaker', 'trust', 'model'])
    .select((is) => [
      // What is long is read when its turn's document is made: a page of turns must not hold the texts of all of them.
      is
        .case()
        .when(is.fn<number>('octet_length', ['content']), '<=', LONG)
        .then(is.ref('content'))
        .end()
        .as('content'),
    ])
    .where(
      'turn_id',
      'in',
      Array.from({ length: TURNS_AT_ONCE }, (_, i) => turns[i] as string),
    )
    .where((is) => is.or([is('role', 'in', ['user', 'assistant']), is('kind', '=', 'summary')]))
    .where('content', '<>', '')
    .orderBy('sequence'),
)

/** A message on its way into a document; the text of a long one is still to be read. */
export interface TurnRow extends DocumentRow {
  readonly id: string
}

/** The messages of turns that go into documents, by turn, in order. */
export async function messagesOfTurns(db: Kysely<Tables>, turnIds: readonly string[]): Promise<Map<string, TurnRow[]>> {
  const byTurn = new Map<string, TurnRow[]>()
  for (let at = 0; at < turnIds.length; at += TURNS_AT_ONCE) {
    const slots = Array.from({ length: TURNS_AT_ONCE }, (_, i) => [i, turnIds[at + i] ?? null] as const)
    for (const row of await spokenInTurns(db, Object.fromEntries(slots))) {
      const turn = row.turn_id as string
      const known = byTurn.get(turn)
      if (known) known.push(row)
      else byTurn.set(turn, [row])
    }
  }
  return byTurn
}

const beginningOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_messages')
    .select((is) => is.fn<string>('substr', ['content', is.val(1), is.val(READ_MESSAGE)]).as('content'))
    .where('id', '=', id),
)

/** The same messages, long ones with as much of their text as goes into a document; no more than one document holds is read. */
export async function withLongTexts(db: Kysely<Tables>, rows: readonly TurnRow[]): Promise<readonly DocumentRow[]> {
  if (rows.every(({ content }) => content !== null)) return rows
  const whole: DocumentRow[] = []
  let held = 0
  for (const row of rows) {
    const leftOut = row.content === null && held > INDEXED_DOCUMENT
    const content = row.content ?? (leftOut ? '' : ((await beginningOf(db, { id: row.id }))[0]?.content ?? ''))
    held += content.length
    whole.push({ ...row, content, leftOut })
  }
  return whole
}

const endsOfPaths = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('files')
    .select((is) => [is.fn.min('path').as('first'), is.fn.max('path').as('last')])
    .where('session_id', '=', id),
)

/** True when all documents of a session lie where its label puts them. */
export async function pathsFollowLabel(db: Kysely<Tables>, { id, label }: SessionToIndex): Promise<boolean> {
  const [ends] = await endsOfPaths(db, { id })
  const prefix = `sessions/${safeSessionLabel(label)}/`
  // What lies between two paths with a common beginning has that beginning too.
  return !ends?.first || (ends.first.startsWith(prefix) && ends.last.startsWith(prefix))
}

/** Removes all documents of a session, and with them their chunks and full-text rows. Gives how many there were. */
export async function removeDocuments(db: Kysely<Tables>, sessionId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('index_files')
    .where('session', '=', (is) => is.selectFrom('index_sessions').select('number').where('id', '=', sessionId))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes a session from the index. Gives how many documents it had. */
export async function removeSession(db: Kysely<Tables>, sessionId: string): Promise<number> {
  await db.deleteFrom('index_state').where('session_id', '=', sessionId).execute()
  return removeDocuments(db, sessionId)
}

/** The file a session was read from; the first by name where it was several. */
export async function sourcePath(db: Kysely<Tables>, sessionId: string): Promise<string | undefined> {
  return (await firstPath(db, { sessionId }))[0]?.path
}

const firstPath = compiledOnce((db, { sessionId }: { sessionId: string }) =>
  db.selectFrom('sync_state').select('path').where('session_id', '=', sessionId).orderBy('path').limit(1),
)
