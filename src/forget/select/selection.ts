/** Kept in memory only, because it contains the text. Pure. */
import { messageId, plainSessionId } from '../../core/ids.ts'
import { type Forgotten, textId } from '../../tombstones/write-tombstones.ts'

/** Applied when the tombstones are written. */
export interface Sweep {
  readonly table: string
  readonly where: Readonly<Record<string, string | number>>
  /** If absent, the row is deleted. */
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
  | 'thread'
  | 'entity'
  | 'document'
  | 'path'
  | 'derived'
  | 'operations'

export interface Hit {
  readonly kind: HitKind
  readonly session: string | undefined
  readonly message: string | undefined
  readonly event?: string | undefined
  /** Milliseconds; if known. */
  readonly at?: number | undefined
  readonly text: string
}

const MOST_HITS = 50

export interface Selection {
  /** They remain. */
  readonly subagents: string[]
  readonly forgotten: Forgotten[]
  readonly sweeps: Sweep[]
  readonly counts: Map<HitKind, number>
  readonly hits: Hit[]
  readonly tables: Map<string, number>
  /** Their publications are removed too. */
  readonly sessions: Set<string>
  /** Sessions to reindex although the ledger is unchanged. */
  readonly stale: Set<string>
  /** Their label, summary and topics are blanked. */
  readonly turns: Set<string>
  /** Per session, unless a remaining message has the same text. */
  readonly texts: { readonly session: string; readonly text: string }[]
  /** All forms found. */
  readonly needles: Set<string>
  /** Prove the whole record gone. */
  readonly pieces: Set<string>
}

export function newSelection(): Selection {
  return {
    ...{ subagents: [], forgotten: [], sweeps: [], texts: [], hits: [], counts: new Map(), tables: new Map() },
    ...{ sessions: new Set(), stale: new Set(), turns: new Set(), needles: new Set(), pieces: new Set() },
  }
}

export function count(selection: Selection, kind: HitKind, table: string): void {
  selection.counts.set(kind, (selection.counts.get(kind) ?? 0) + 1)
  selection.tables.set(table, (selection.tables.get(table) ?? 0) + 1)
}

/** Derived and operational rows only repeat records: not shown. */
export function addHit(selection: Selection, hit: Hit): void {
  if (selection.hits.length < MOST_HITS && hit.kind !== 'derived' && hit.kind !== 'operations') selection.hits.push(hit)
}

/** Tombstones need an agent, even if they apply to all. */
const AGENT = 'main'

export function addForgotten(selection: Selection, ...forgotten: readonly Omit<Forgotten, 'agentId'>[]): void {
  for (const one of forgotten) selection.forgotten.push({ agentId: AGENT, ...one })
}

/** Forgotten wherever it is an entire value. */
export function addValue(selection: Selection, value: unknown): void {
  if (typeof value !== 'string') return
  if (value !== '') addForgotten(selection, { kind: 'value', id: value })
  addPieces(selection, value)
}

export interface MessageToForget {
  readonly id: string
  readonly session: string
  readonly native: string
  readonly text: string
  /** Its text is forgotten in every session. */
  readonly everywhere: boolean
}

export function addMessage(selection: Selection, { id, session, native, text, everywhere }: MessageToForget): void {
  const plain = plainSessionId(session) ?? session
  addForgotten(selection, { kind: 'message', id })
  addPieces(selection, text)
  if (id.endsWith(`/${native}`)) addForgotten(selection, { kind: 'message', id: messageId(plain, native) })
  if (everywhere) {
    if (text.trim() !== '') addForgotten(selection, { kind: 'text', id: textId(plain, text) })
    addForgotten(selection, { kind: 'text', text })
    addValue(selection, text)
  } else if (text.trim() !== '') selection.texts.push({ session: plain, text })
  selection.sessions.add(session)
}

const SHORTEST_PIECE = 24
const LONGEST_PIECE = 120
const SHORTEST_TITLE = 8
const MOST_OF_A_TEXT = 32
const MOST_PIECES = 2000
/** Tool calls come last. */
const MOST_WITH_CALLS = 3000

/** Samples the whole text: any part may remain. */
export function addPieces(selection: Selection, text: string | null | undefined, most: number = MOST_PIECES): void {
  if (!text || selection.pieces.size >= most) return
  const lines = text.split('\n').flatMap(piecesOf)
  const step = Math.max(1, lines.length / MOST_OF_A_TEXT)
  for (let at = 0; at < lines.length; at += step) selection.pieces.add(lines[Math.floor(at)] as string)
}

export function addCallPieces(selection: Selection, ...texts: readonly (string | null)[]): void {
  for (const text of texts) addPieces(selection, text, MOST_WITH_CALLS)
}

export function hasEnoughPieces(selection: Selection): boolean {
  return selection.pieces.size >= MOST_WITH_CALLS
}

export function addTitlePiece(selection: Selection, title: string | null | undefined): void {
  if (title && title.length >= SHORTEST_TITLE) selection.pieces.add(title)
}

function piecesOf(line: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += LONGEST_PIECE) {
    const piece = withoutHalves(line.slice(at, at + LONGEST_PIECE)).trim()
    if (piece.length >= SHORTEST_PIECE) pieces.push(piece)
  }
  return pieces
}

/** A lone surrogate would have other bytes in a file. */
function withoutHalves(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
