/** Parents first, back to a known turn. */
import { parseJson } from '../../../core/nesting.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { LedgerShape } from './ledger-shape.ts'

export interface Ledger {
  readonly db: SourceDatabase
  readonly shape: LedgerShape
}

export interface Since {
  /** Last processed history row; 0 reads the whole session. */
  readonly from: number
  readonly to: number
}

export interface SessionAt extends Since {
  readonly session: string
  readonly head: string | undefined
}

export interface Step {
  readonly turn: string
  readonly parent?: string
}

export function* sessionTurns(ledger: Ledger, at: SessionAt): Generator<Step> {
  const given = new Set<string>()
  for (const thread of threadsOf(ledger, at)) {
    for (const step of pathTo(ledger, thread, { ...at, given })) {
      given.add(step.turn)
      yield step
    }
  }
}

/** Oldest first. */
function* threadsOf({ db, shape }: Ledger, { session, head, from, to }: SessionAt): Generator<string> {
  const { history, turns } = shape
  if (history !== undefined) {
    const sql = `select "${history.turn}" as turn from session_history where "${history.session}" = ? and id > ? and id <= ? order by id`
    for (const { turn } of [...db.rows<{ turn: unknown }>(sql, session, from, to)]) if (typeof turn === 'string') yield turn
  }
  if (turns.session !== undefined) {
    const sql = `select id from turns where "${turns.session}" = ? order by ${turns.order}`
    for (const { id } of [...db.rows<{ id: unknown }>(sql, session)]) if (typeof id === 'string') yield id
  }
  if (head !== undefined) yield head
}

interface Walk extends SessionAt {
  readonly given: ReadonlySet<string>
}

/** Path from the first new turn to `thread`. Includes one known turn, which may have grown. */
function pathTo(ledger: Ledger, thread: string, { given, ...at }: Walk): Step[] {
  const path: { turn: string; parent?: string }[] = []
  const seen = new Set<string>()
  let known = false
  for (const turn of ancestorsOf(ledger, thread)) {
    const below = path.at(-1)
    // Even at the end of the path: the next turn needs its parent.
    if (below !== undefined && below.turn !== turn) below.parent = turn
    if (known || given.has(turn) || seen.has(turn)) break
    seen.add(turn)
    path.push({ turn })
    known = at.from > 0 && isKnown(ledger, turn, at)
  }
  return path.reverse()
}

function* ancestorsOf({ db, shape }: Ledger, thread: string): Generator<string> {
  if (shape.turns.parent === undefined && shape.ancestry) {
    yield* [...ancestryOf(db, thread), thread].reverse()
    return
  }
  for (let turn: string | undefined = thread; turn !== undefined; turn = parentOf({ db, shape }, turn)) yield turn
}

export function parentOf({ db, shape }: Ledger, turn: string): string | undefined {
  if (shape.turns.parent === undefined) return shape.ancestry ? ancestryOf(db, turn).at(-1) : undefined
  const row = db.first<{ parent: unknown }>(`select "${shape.turns.parent}" as parent from turns where id = ?`, turn)
  return typeof row?.parent === 'string' && row.parent !== '' ? row.parent : undefined
}

function isKnown({ db, shape: { history } }: Ledger, turn: string, { session, from }: SessionAt): boolean {
  if (history === undefined) return false
  const sql = `select 1 as found from session_history where "${history.turn}" = ? and "${history.session}" = ? and id <= ? limit 1`
  return db.first(sql, turn, session, from) !== undefined
}

/** Oldest first. A list that starts with the turn itself is in reverse order. */
function ancestryOf(db: SourceDatabase, turn: string): string[] {
  const row = db.first<{ ancestry: unknown }>('select ancestry from threads where turn_id = ?', turn)
  const ids = idsIn(row?.ancestry)
  const above = ids.filter((id) => id !== turn)
  return ids[0] === turn ? above.reverse() : above
}

function idsIn(ancestry: unknown): string[] {
  try {
    const ids: unknown = parseJson(String(ancestry ?? '[]'))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
