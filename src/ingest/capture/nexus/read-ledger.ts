import { given } from '../../../core/given.ts'
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, isFields, textOf } from '../fields.ts'
import { ledgerShape } from './ledger-shape.ts'
import { cleanRow } from './row.ts'
import { isSubagent, sessionRecord, titleRecord } from './session-record.ts'
import { type Ledger, parentOf, type Since, sessionTurns } from './session-turns.ts'
import { lastRecordOf, turnRecords } from './turn-records.ts'

const CHECKPOINT_BYTES = 64 * 1024
const PAGE = 100

/** Position in the feed, and within one pass over it. */
interface Cursor {
  from: number
  to?: number
  /** Last finished session of the pass, by creation. */
  upTo?: readonly [created: number, name: string]
}

export async function* readLedger(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const db = await reader.database(unit.path)
  try {
    const ledger = { db, shape: ledgerShape(db, unit.path) }
    const cursor = cursorOf(since?.carry)
    let read = 0
    let messages = 0
    for (let end = endOf(ledger); ; end = endOf(ledger)) {
      // A shorter feed means that the ledger was replaced.
      if (cursor.from > end) Object.assign(cursor, { from: 0, to: undefined, upTo: undefined })
      cursor.to ??= end
      for (const row of changedSessions(ledger, cursor)) {
        let checked = read
        for (const item of sessionItems(ledger, row, { from: cursor.from, to: cursor.to })) {
          yield item
          if (item.type !== 'record') continue
          if (item.record.type === 'message') messages += 1
          read += sizeOf(item.record)
          // The cursor stays: an interrupted session is reread whole.
          if (read - checked < CHECKPOINT_BYTES) continue
          yield { type: 'checkpoint', offset: read, carry: { ...cursor } }
          checked = read
        }
        cursor.upTo = positionOf(ledger, row)
        yield { type: 'checkpoint', offset: ++read, carry: { ...cursor } }
      }
      cursor.from = cursor.to
      delete cursor.to
      delete cursor.upTo
      yield { type: 'checkpoint', offset: ++read, carry: { ...cursor } }
      if (ledger.shape.history === undefined || endOf(ledger) <= cursor.from) break
    }
    if (messages === 0 && since === undefined) yield { type: 'warning', message: `no conversation in ${unit.path}` }
  } finally {
    db.close()
  }
}

function cursorOf(carry: unknown): Cursor {
  if (!isFields(carry) || typeof carry.from !== 'number') return { from: 0 }
  const { from, to, upTo } = carry
  return {
    from,
    ...given({
      to: typeof to === 'number' ? to : undefined,
      upTo: Array.isArray(upTo) ? (upTo as unknown as readonly [number, string]) : undefined,
    }),
  }
}

/** Without a history, uses the time of the last change. */
function endOf({ db, shape }: Ledger): number {
  const { updated } = shape.sessions
  const sql =
    shape.history !== undefined
      ? 'select max(id) as top from session_history'
      : updated === undefined
        ? undefined
        : `select max("${updated}") as top from sessions`
  const top = sql === undefined ? 0 : db.first<{ top: unknown }>(sql)?.top
  return typeof top === 'number' ? top : 0
}

/** Oldest first: shared turns belong to the first session. */
function* changedSessions(ledger: Ledger, cursor: Cursor): Generator<Fields> {
  const { db, shape } = ledger
  const { name, created, updated } = shape.sessions
  const began = created === undefined ? '0' : `cast(coalesce("${created}", 0) as integer)`
  const { history } = shape
  const condition =
    cursor.from === 0
      ? '1'
      : history !== undefined
        ? `"${name}" in (select "${history.session}" from session_history where id > ${cursor.from} and id <= ${cursor.to})`
        : updated === undefined
          ? '1'
          : `"${updated}" >= ${cursor.from}`
  const sql = `select *, ${began} as began_ from sessions where (${began}, "${name}") > (?, ?) and ${condition} order by began_, "${name}" limit ${PAGE}`
  for (let upTo: readonly [number, string] = cursor.upTo ?? [-1, '']; ; ) {
    const rows = [...db.rows<Record<string, unknown>>(sql, upTo[0], upTo[1])]
    for (const { began_: _, ...row } of rows) yield cleanRow(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    upTo = [Number(last.began_), String(last[name])]
  }
}

function positionOf({ shape: { sessions } }: Ledger, row: Fields): readonly [number, string] {
  const began = sessions.created === undefined ? 0 : Number.parseInt(String(row[sessions.created] ?? 0), 10)
  return [Number.isFinite(began) ? began : 0, String(row[sessions.name])]
}

function* sessionItems(ledger: Ledger, row: Fields, since: Since): Generator<ReadItem, void, undefined> {
  const { sessions } = ledger.shape
  const session = String(row[sessions.name])
  const head = sessions.head === undefined ? undefined : textOf(row[sessions.head])
  const ends = new Map<string, string | undefined>()
  let opened = false
  for (const { turn, parent: above } of sessionTurns(ledger, { session, head, ...since })) {
    const parent = above === undefined ? undefined : endOfTurn(ledger, above, ends)
    const items = [...turnRecords(ledger, { session, turn, parent, isSubagent: isSubagent(row) })]
    if (!opened && items.length > 0) yield* opening(ledger, row, { session, head })
    if (parent === undefined && (opened || since.from > 0)) yield { type: 'record', record: { type: 'head', session } }
    opened ||= items.length > 0
    yield* items
    ends.set(turn, lastOf(items) ?? parent)
  }
  const at = head === undefined ? undefined : endOfTurn(ledger, head, ends)
  if (opened && at !== undefined) yield { type: 'record', record: { type: 'head', session, recordId: at } }
}

function* opening(
  ledger: Ledger,
  row: Fields,
  { session, head }: { session: string; head: string | undefined },
): Generator<ReadItem, void, undefined> {
  const at = head === undefined ? undefined : ledger.db.first<Record<string, unknown>>('select * from turns where id = ?', head)
  yield { type: 'record', record: sessionRecord(ledger, row, textOf(row.workspace_path) ?? textOf(at?.workspace_path)) }
  const title = titleRecord(row, session)
  if (title !== undefined) yield { type: 'record', record: title }
}

function lastOf(items: readonly ReadItem[]): string | undefined {
  const last = items.findLast((item) => item.type === 'record' && item.record.type === 'message')
  return last?.type === 'record' && last.record.type === 'message' ? last.record.id : undefined
}

function endOfTurn(ledger: Ledger, turn: string, ends: Map<string, string | undefined>): string | undefined {
  const seen = new Set<string>()
  for (let at: string | undefined = turn; at !== undefined && !seen.has(at); at = parentOf(ledger, at)) {
    seen.add(at)
    const end = ends.get(at) ?? lastRecordOf(ledger, at)
    if (end !== undefined) return end
  }
  return undefined
}

function sizeOf(record: AgentRecord): number {
  if (record.type !== 'message') return 100
  const calls = (record.toolCalls ?? []).reduce((sum, { params }) => sum + params.length, 0)
  return 100 + record.text.length + (record.toolResults ?? []).reduce((sum, { result }) => sum + result.length, calls)
}
