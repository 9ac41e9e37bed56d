/** What is to be forgotten, worked out before anything is written. Held in memory only: it names what must not be kept. */
import type { Forgotten } from '../tombstones/write-tombstones.ts'

/** A row of a table that is no ledger's, to be deleted or blanked in the transaction of the tombstones. */
export interface Sweep {
  readonly table: string
  readonly where: Readonly<Record<string, string | number>>
  /** Absent: the row goes. */
  readonly set?: Readonly<Record<string, string | null>>
}

export type HitKind =
  | 'session'
  | 'message'
  | 'call_params'
  | 'call_result'
  | 'title'
  | 'value'
  | 'event'
  | 'entity'
  | 'document'
  | 'path'
  | 'derived'
  | 'operations'

/** One record that goes, to be shown before it does. */
export interface Hit {
  readonly kind: HitKind
  readonly session: string | undefined
  readonly message: string | undefined
  /** Milliseconds; where it is known without the message. */
  readonly at?: number | undefined
  /** The value that holds the text, or what the record says. */
  readonly text: string
}

export const MOST_HITS = 50

export interface Selection {
  readonly forgotten: Forgotten[]
  readonly sweeps: Sweep[]
  /** How many of each kind. */
  readonly counts: Map<HitKind, number>
  /** The first of them, as they stand. */
  readonly hits: Hit[]
  /** Rows by table. */
  readonly tables: Map<string, number>
  /** Sessions that go or lose something: what was published of them goes. */
  readonly sessions: Set<string>
  /** Sessions whose documents must be made again although the ledger stays. */
  readonly stale: Set<string>
  /** Turns whose label, summary or topics must go. */
  readonly turns: Set<string>
  /** What messages that go say, in which session: fenced there where nothing that stays says the same. */
  readonly said: { readonly session: string; readonly text: string }[]
  /** What the scan looks for: the text in the forms in which it was met. */
  readonly needles: Set<string>
  /** And this: pieces of what goes, so that the proof is one of the whole record. */
  readonly pieces: Set<string>
}

export function newSelection(): Selection {
  return {
    ...{
      forgotten: [],
      sweeps: [],
      said: [],
      hits: [],
      counts: new Map(),
      tables: new Map(),
      sessions: new Set(),
      stale: new Set(),
      turns: new Set(),
    },
    needles: new Set(),
    pieces: new Set(),
  }
}

export function count(selection: Selection, kind: HitKind, table: string): void {
  selection.counts.set(kind, (selection.counts.get(kind) ?? 0) + 1)
  selection.tables.set(table, (selection.tables.get(table) ?? 0) + 1)
}

/** Derived rows and notes of the machine only repeat what the records say. */
export function addHit(selection: Selection, hit: Hit): void {
  if (selection.hits.length < MOST_HITS && hit.kind !== 'derived' && hit.kind !== 'operations') selection.hits.push(hit)
}
