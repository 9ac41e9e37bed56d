/** What is to be forgotten, collected before anything is written. Held in memory only, since it contains what must not be kept. Pure. */
import { messageId, plainSessionId } from '../../core/ids.ts'
import { type Forgotten, textId } from '../../tombstones/write-tombstones.ts'

/** A row of a table that is not a ledger table, to be deleted or blanked in the transaction that writes the tombstones. */
export interface Sweep {
  readonly table: string
  readonly where: Readonly<Record<string, string | number>>
  /** Absent: the row is deleted. */
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

/** One record that will be removed, to be shown beforehand. */
export interface Hit {
  readonly kind: HitKind
  readonly session: string | undefined
  readonly message: string | undefined
  readonly event?: string | undefined
  /** Milliseconds; where it is known without the message. */
  readonly at?: number | undefined
  /** The value that holds the text, or the record's own text. */
  readonly text: string
}

const MOST_HITS = 50

export interface Selection {
  /** Subagents of a selected session, and theirs: they stay. */
  readonly subagents: string[]
  readonly forgotten: Forgotten[]
  readonly sweeps: Sweep[]
  /** How many of each kind. */
  readonly counts: Map<HitKind, number>
  /** The first of them. */
  readonly hits: Hit[]
  /** Rows by table. */
  readonly tables: Map<string, number>
  /** Sessions of which something is removed: what was published of them is removed too. */
  readonly sessions: Set<string>
  /** Sessions whose documents must be made again although the ledger does not change. */
  readonly stale: Set<string>
  /** Turns whose label, summary and topics must be blanked. */
  readonly turns: Set<string>
  /** Texts of removed messages, with their session: they get a tombstone there, unless a message that stays has the same text. */
  readonly texts: { readonly session: string; readonly text: string }[]
  /** What the scan looks for: the text in the forms in which it was found. */
  readonly needles: Set<string>
  /** Pieces of the removed records, which the scan looks for too: so the whole record is proven gone. */
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

/** Derived rows and operational notes only repeat the records, and are not shown. */
export function addHit(selection: Selection, hit: Hit): void {
  if (selection.hits.length < MOST_HITS && hit.kind !== 'derived' && hit.kind !== 'operations') selection.hits.push(hit)
}

/** A tombstone that keeps a text out of every memory still names an agent. */
const AGENT = 'main'

export function addForgotten(selection: Selection, ...forgotten: readonly Omit<Forgotten, 'agentId'>[]): void {
  for (const one of forgotten) selection.forgotten.push({ agentId: AGENT, ...one })
}

/** A string that is forgotten wherever it is a whole value. */
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
/** Tool calls come last, and have room of their own. */
const MOST_WITH_CALLS = 3000

/** Pieces from the whole text, not only its beginning: any part of a record may be left in a file. */
export function addPieces(selection: Selection, text: string | null | undefined, most: number = MOST_PIECES): void {
  if (!text || selection.pieces.size >= most) return
  const lines = text.split('\n').flatMap(piecesOf)
  const step = Math.max(1, lines.length / MOST_OF_A_TEXT)
  for (let at = 0; at < lines.length; at += step) selection.pieces.add(lines[Math.floor(at)] as string)
}

/** Pieces of the parameters and the result of a tool call. */
export function addCallPieces(selection: Selection, ...texts: readonly (string | null)[]): void {
  for (const text of texts) addPieces(selection, text, MOST_WITH_CALLS)
}

export function hasEnoughPieces(selection: Selection): boolean {
  return selection.pieces.size >= MOST_WITH_CALLS
}

/** A title is short, and one piece. */
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

/** Without half a surrogate pair at either end: in a file that would be other bytes. */
function withoutHalves(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
