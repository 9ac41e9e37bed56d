import { messageId, plainSessionId, sessionId } from '../../core/ids.ts'
import { fieldId, titleId } from '../../ledgers/forgotten-records.ts'
import { saidInSeries } from '../../ledgers/series-parts.ts'
import type { Finder, Finders, Found } from './finder.ts'
import { addForgotten, addMessage, addValue, count, type HitKind, type Selection } from './selection.ts'
import { heldStrings } from './text-match.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** False if removing single strings is not enough. */
function addHeldStrings({ row, match }: Found, column: string, selection: Selection): boolean {
  const strings = heldStrings(text(row[column]), match)
  for (const one of strings ?? []) addValue(selection, one)
  return strings !== undefined
}

const TITLES: ReadonlySet<string> = new Set(['title', 'own_title', 'source_title'])

const session: Finder = {
  keys: ['source'],
  take(found, selection) {
    const { row, columns, table } = found
    const [id, source, native] = [text(row.id), text(row.source), text(row.native_id)]
    const plain = sessionId(source, native)
    selection.sessions.add(id)
    if (columns.includes('id') || columns.includes('native_id')) {
      addForgotten(selection, { kind: 'session', id }, { kind: 'session', id: plain })
      for (const name of [id, plain, native]) addValue(selection, name)
      count(selection, 'session', table)
      return
    }
    for (const column of columns) {
      if (TITLES.has(column)) {
        addForgotten(selection, { kind: 'title', id: titleId(plain, text(row[column])) })
        addValue(selection, row[column])
      } else if (column !== 'context_json' && column !== 'raw_json') addValue(selection, row[column])
      else if (!addHeldStrings(found, column, selection)) addForgotten(selection, { kind: 'field', id: fieldId(plain, column) })
      // `title` repeats one of the other two: count it once.
      if (column === 'title' || !columns.includes('title')) count(selection, TITLES.has(column) ? 'title' : 'value', table)
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
    const kept = columns.every((column) => beside.has(column) || (column === 'metadata_json' && addHeldStrings(found, column, selection)))
    for (const column of columns) if (beside.has(column)) addValue(selection, row[column])
    if (kept) return count(selection, 'value', table)
    if (found.match.holds(native)) addValue(selection, native)
    addMessage(selection, { id, session: sessionOf, native, text: text(row.content), everywhere: columns.includes('content') })
    count(selection, 'message', table)
  },
}

const call: Finder = {
  keys: ['session_id', 'message_id'],
  take(found, selection) {
    const { row, columns, table } = found
    const [id, of, native] = [text(row.id), text(row.session_id), text(row.native_id)]
    const ids = new Set([id, messageId(plainSessionId(of) ?? of, native)])
    selection.sessions.add(of)
    if (columns.includes('id') || columns.includes('native_id')) {
      addValue(selection, native)
      addForgotten(selection, { kind: 'message', id: text(row.message_id) })
      return count(selection, 'message', table)
    }
    for (const column of columns) {
      const kind = ({ params_json: 'call-params', result_json: 'call-result' } as const)[column as 'params_json']
      if (kind !== undefined) for (const one of ids) addForgotten(selection, { kind, id: one })
      if (kind !== undefined) addHeldStrings(found, column, selection) // another harness may wrap the same strings differently
      addValue(selection, row[column])
      count(selection, (kind?.replace('-', '_') ?? 'value') as HitKind, table)
    }
  },
}

const compaction: Finder = {
  keys: ['session_id'],
  take({ row, columns, table }, selection) {
    const [id, of] = [text(row.id), text(row.session_id)]
    const native = id.slice(of.length + 1)
    addMessage(selection, { id, session: of, native, text: text(row.summary), everywhere: columns.includes('summary') })
    count(selection, 'message', table)
  },
}

const event: Finder = {
  keys: ['source_adapter', 'timestamp'],
  take(found, selection) {
    const { row, columns, table } = found
    if (row.source_adapter === 'aix-events') return count(selection, 'derived', table) // removed with its turn
    const whole = columns.some((column) => ['id', 'source_id', 'content'].includes(column))
    const parts = columns.filter((column) => column === 'metadata_json' && !addHeldStrings(found, column, selection))
    if (whole || parts.length > 0) {
      addForgotten(selection, { kind: 'event', id: text(row.id) })
      if (columns.includes('content')) addValue(selection, row.content)
    }
    for (const column of ['speaker', 'reply_to']) if (columns.includes(column)) addValue(selection, row[column])
    count(selection, whole || parts.length > 0 ? 'event' : 'value', table)
  },
}

const thread: Finder = {
  keys: ['source_id'],
  take(found, selection) {
    if (text(found.row.id).startsWith('aix_session:')) return count(selection, 'derived', found.table) // derived from its session
    // Renamed, so that its events stay together.
    if (found.columns.includes('id')) addValue(selection, found.row.source_id)
    if (found.columns.includes('name')) addValue(selection, found.row.name)
    if (found.columns.includes('metadata_json')) addHeldStrings(found, 'metadata_json', selection)
    count(selection, 'value', found.table)
  },
}

const person: Finder = {
  keys: [],
  take({ row, columns, table }, selection) {
    const held = ['handle', 'name'].filter((column) => columns.includes(column))
    for (const column of held) addValue(selection, row[column])
    if (columns.includes('unit')) addForgotten(selection, { kind: 'path', id: text(row.unit) })
    if (held.length > 0) count(selection, 'value', table)
  },
}

/** Forgetting its event keeps the part out. */
const seriesPart: Finder = {
  keys: ['part'],
  take(found, selection) {
    const { row, columns, table, match } = found
    const id = `calendar:${text(row.series)}`
    // The calendar's name matched.
    if (columns.includes('thread_id')) addValue(selection, text(row.thread_id).replace(/^calendar:/, ''))
    const held = columns.every((column) => column === 'thread_id' || (column === 'body_json' && addHeldStrings(found, column, selection)))
    const whole = !held || saidInSeries(text(row.body_json)).some((said) => match.holds(said))
    if (whole) addForgotten(selection, { kind: 'event', id: text(row.part) === '' ? id : `${id}/${text(row.part)}` })
    count(selection, whole ? 'event' : 'value', table)
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
      addValue(selection, row.native_id)
      count(selection, 'value', table)
    },
  },
  agent_turns: {
    keys: ['session_id'],
    take({ row, columns, table }, selection) {
      for (const column of ['model', 'provider']) if (columns.includes(column)) addValue(selection, row[column])
      selection.turns.add(text(row.id))
      selection.sessions.add(text(row.session_id))
      count(selection, 'derived', table)
    },
  },
  agent_pending_titles: {
    keys: [],
    take({ row, columns, table }, selection) {
      const said = columns.filter((column) => column !== 'unit')
      for (const column of said) addValue(selection, row[column])
      if (said.length > 0) count(selection, 'title', table)
      if (columns.includes('unit')) addForgotten(selection, { kind: 'path', id: text(row.unit) })
    },
  },
  events: event,
  threads: thread,
  event_people: person,
  contacts: person,
  series_parts: seriesPart,
}
