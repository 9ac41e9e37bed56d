/** What a text found in a ledger table means: which record is forgotten, and by which tombstones it stays out. */
import { messageId, sessionId } from '../core/ids.ts'
import { fieldId, titleId } from '../ledgers/forgotten-records.ts'
import { type Forgotten, textId } from '../tombstones/write-tombstones.ts'
import type { Finder, Finders } from './find-match.ts'
import { heldStrings } from './match-leaves.ts'
import { addPieces } from './pieces.ts'
import { count, type HitKind, type Selection } from './selection.ts'
import type { TextMatch } from './text-match.ts'

export interface Found {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
  /** The columns that hold the text. */
  readonly columns: readonly string[]
  readonly match: TextMatch
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whose memory it was is of no concern to a tombstone that fences a text for everybody. */
const OWNER = 'main'

export function forget(selection: Selection, ...forgotten: readonly Omit<Forgotten, 'agentId'>[]): void {
  for (const one of forgotten) selection.forgotten.push({ agentId: OWNER, ...one })
}

/** A string that is forgotten wherever it comes whole. */
export function forgetValue(selection: Selection, value: unknown): void {
  if (text(value) !== '') forget(selection, { kind: 'value', id: text(value) })
  addPieces(selection, text(value))
}

/** True when single strings of the JSON could be named. */
function forgetLeaves({ row, match }: Found, column: string, selection: Selection): boolean {
  const leaves = heldStrings(text(row[column]), match)
  for (const leaf of leaves ?? []) forgetValue(selection, leaf)
  return leaves !== undefined
}

const session: Finder = {
  keys: ['source'],
  take(found, selection) {
    const { row, columns, table } = found
    const [id, source, native] = [text(row.id), text(row.source), text(row.native_id)]
    const plain = sessionId(source, native)
    selection.sessions.add(id)
    if (columns.includes('id') || columns.includes('native_id')) {
      forget(selection, { kind: 'session', id }, { kind: 'session', id: plain })
      for (const name of [id, plain, native]) forgetValue(selection, name)
      count(selection, 'session', table)
      return
    }
    for (const column of columns) {
      if (column === 'title') {
        forget(selection, { kind: 'title', id: titleId(plain, text(row.title)) })
        forgetValue(selection, row.title)
      } else if (column !== 'context_json' && column !== 'raw_json') forgetValue(selection, row[column])
      else if (!forgetLeaves(found, column, selection)) forget(selection, { kind: 'field', id: fieldId(plain, column) })
      count(selection, column === 'title' ? 'title' : 'value', table)
    }
  },
}

const message: Finder = {
  keys: ['session_id'],
  take(found, selection) {
    const { row, columns, table } = found
    const [id, sessionOf, native] = [text(row.id), text(row.session_id), text(row.native_id)]
    selection.sessions.add(sessionOf)
    const beside = new Set(['speaker', 'model', 'checkpoint_id'])
    const kept = columns.every((column) => beside.has(column) || (column === 'metadata_json' && forgetLeaves(found, column, selection)))
    for (const column of columns) if (beside.has(column)) forgetValue(selection, row[column])
    if (kept) return count(selection, 'value', table)
    if (found.match.holds(native)) forgetValue(selection, native)
    forgetMessage(selection, { id, session: sessionOf, native, said: text(row.content), everywhere: columns.includes('content') })
    count(selection, 'message', table)
  },
}

export interface MessageToForget {
  readonly id: string
  readonly session: string
  readonly native: string
  readonly said: string
  /** Its text is forgotten wherever it is said. */
  readonly everywhere: boolean
}

export function forgetMessage(selection: Selection, { id, session: of, native, said, everywhere }: MessageToForget): void {
  const plain = of.replace(/~[0-9a-f]{8}$/, '')
  forget(selection, { kind: 'message', id })
  addPieces(selection, said)
  if (id.endsWith(`/${native}`)) forget(selection, { kind: 'message', id: messageId(plain, native) })
  if (everywhere) {
    if (said.trim() !== '') forget(selection, { kind: 'text', id: textId(plain, said) })
    forget(selection, { kind: 'text', text: said })
    forgetValue(selection, said)
  } else if (said.trim() !== '') selection.said.push({ session: plain, text: said })
  selection.sessions.add(of)
}

const call: Finder = {
  keys: ['session_id', 'message_id'],
  take(found, selection) {
    const { row, columns, table } = found
    const [id, of, native] = [text(row.id), text(row.session_id), text(row.native_id)]
    const ids = new Set([id, messageId(of.replace(/~[0-9a-f]{8}$/, ''), native)])
    selection.sessions.add(of)
    if (columns.includes('id') || columns.includes('native_id')) {
      forgetValue(selection, native)
      forget(selection, { kind: 'message', id: text(row.message_id) })
      return count(selection, 'message', table)
    }
    for (const column of columns) {
      const kind = ({ params_json: 'call-params', result_json: 'call-result' } as const)[column as 'params_json']
      if (kind !== undefined) for (const one of ids) forget(selection, { kind, id: one })
      if (kind !== undefined) forgetLeaves(found, column, selection) // another harness packs the same words differently
      forgetValue(selection, row[column])
      count(selection, (kind?.replace('-', '_') ?? 'value') as HitKind, table)
    }
  },
}

const compaction: Finder = {
  keys: ['session_id'],
  take({ row, columns, table }, selection) {
    const [id, of] = [text(row.id), text(row.session_id)]
    const native = id.slice(of.length + 1)
    forgetMessage(selection, { id, session: of, native, said: text(row.summary), everywhere: columns.includes('summary') })
    count(selection, 'message', table)
  },
}

const event: Finder = {
  keys: ['source_adapter'],
  take(found, selection) {
    const { row, columns, table } = found
    if (row.source_adapter === 'aix-events') return count(selection, 'derived', table) // goes with the turn that it is made from
    const whole = columns.some((column) => ['id', 'source_id', 'content'].includes(column))
    const parts = columns.filter((column) => column === 'metadata_json' && !forgetLeaves(found, column, selection))
    if (whole || parts.length > 0) {
      forget(selection, { kind: 'event', id: text(row.id) })
      if (columns.includes('content')) forgetValue(selection, row.content)
    }
    for (const column of ['speaker', 'reply_to']) if (columns.includes(column)) forgetValue(selection, row[column])
    count(selection, whole ? 'event' : 'value', table)
  },
}

const thread: Finder = {
  keys: [],
  take(found, selection) {
    if (text(found.row.id).startsWith('aix_session:')) return count(selection, 'derived', found.table) // says what its session says
    if (found.columns.includes('name')) forgetValue(selection, found.row.name)
    if (found.columns.includes('metadata_json')) forgetLeaves(found, 'metadata_json', selection)
    count(selection, 'value', found.table)
  },
}

export const LEDGER_FINDERS: Finders = {
  agent_sessions: session,
  agent_messages: message,
  agent_tool_calls: call,
  agent_compactions: compaction,
  agent_records: {
    keys: [],
    take({ row, table }, selection) {
      forgetValue(selection, row.native_id)
      count(selection, 'value', table)
    },
  },
  agent_turns: {
    keys: ['session_id'],
    take({ row, table }, selection) {
      selection.turns.add(text(row.id))
      selection.sessions.add(text(row.session_id))
      count(selection, 'derived', table)
    },
  },
  agent_pending_titles: {
    keys: [],
    take({ row, columns, table }, selection) {
      for (const column of columns) forgetValue(selection, row[column])
      count(selection, 'title', table)
    },
  },
  events: event,
  threads: thread,
}
