/** Selects the smallest record that contains the text. */
import { setImmediate } from 'node:timers/promises'
import type { Store } from '../../store/store.ts'
import { OWN_META, TABLES } from '../registry.ts'
import type { Finders } from './finder.ts'
import type { OwnRows } from './own-rows.ts'
import { addHit, newSelection, type Selection } from './selection.ts'
import { LEDGER_FINDERS } from './text-in-ledgers.ts'
import { OTHER_FINDERS } from './text-in-other-tables.ts'
import type { TextMatch } from './text-match.ts'

/** Yields to other requests after this many milliseconds. */
const AT_ONCE_MS = 20

export interface FindTextOptions {
  readonly own?: OwnRows | undefined
  readonly signal?: AbortSignal | undefined
}

export async function findText(store: Store, match: TextMatch, { own, signal }: FindTextOptions = {}): Promise<Selection> {
  const selection = newSelection()
  const isRemovedWhole = heldSessionIds(match)
  const finders: Finders = { ...LEDGER_FINDERS, ...OTHER_FINDERS }
  let heard = performance.now()
  for (const [table, holder] of Object.entries(TABLES)) {
    if (holder.kind === 'none') continue
    const finder = finders[table]
    if (finder === undefined) throw new Error(`no finder says how to forget in ${table}`)
    for await (const row of store.walk(table, [...new Set([...finder.keys, ...holder.columns, ...(own?.keys(table) ?? [])])])) {
      if (performance.now() - heard > AT_ONCE_MS) {
        await setImmediate()
        signal?.throwIfAborted()
        heard = performance.now()
      }
      const columns = holder.columns.filter(
        (column) => typeof row[column] === 'string' && match.holds(ownPart(row[column], isId(column, row), match)),
      )
      if (columns.length === 0 || (table === 'meta' && OWN_META.has(String(row.key)))) continue
      if (own?.isOwn(table, row) === false) continue
      // A session whose id contains the text is removed whole.
      if (!NOT_OF_LEDGER.has(table) && typeof row.session_id === 'string' && isRemovedWhole(row.session_id)) continue
      const before = new Map(selection.counts)
      finder.take({ table, row, columns, match }, selection)
      const kind = [...selection.counts].find(([name, count]) => count !== before.get(name))?.[0]
      if (kind !== undefined)
        addHit(selection, {
          kind,
          ...recordOf(table, row),
          at: timeIn(row),
          event: table === 'events' ? String(row.id) : undefined,
          text: String(row[columns[0] as string]),
        })
    }
  }
  for (const form of match.forms) selection.needles.add(form)
  return selection
}

function recordOf(table: string, row: Readonly<Record<string, unknown>>): { session: string | undefined; message: string | undefined } {
  const named = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    session: named(table === 'agent_sessions' ? row.id : row.session_id),
    message: named(table === 'agent_messages' || table === 'agent_compactions' ? row.id : row.message_id),
  }
}

function timeIn(row: Readonly<Record<string, unknown>>): number | undefined {
  return typeof row.timestamp === 'number' ? row.timestamp : undefined
}

const IDS: ReadonlySet<string> = new Set(['id', 'session_id', 'thread_id', 'first_event_id', 'last_event_id'])

/** A label may default to the id. */
function isId(column: string, row: Readonly<Record<string, unknown>>): boolean {
  return IDS.has(column) || (column === 'label' && row.label === row.id)
}

/** Ignores the source prefix: forgetting "claude" must not select all of Claude Code. */
function ownPart(value: string, id: boolean, match: TextMatch): string {
  const prefix = id ? (SOURCE.exec(value)?.[0] ?? '') : ''
  return prefix !== '' && match.holds(prefix) ? value.slice(prefix.length) : value
}

const SOURCE = /^(?:aix_session:)?[a-z][a-z0-9-]*:(?:calendars\/|group-|with-|room-|subject:|hash:)?/

/** Not removed with the session's ledger rows. */
const NOT_OF_LEDGER: ReadonlySet<string> = new Set(['sync_state', 'artifacts', 'artifact_journal', 'documents'])

function heldSessionIds(match: TextMatch): (session: string) => boolean {
  const known = new Map<string, boolean>()
  return (session) => {
    const held = known.get(session) ?? match.holds(ownPart(session, true, match))
    known.set(session, held)
    return held
  }
}
