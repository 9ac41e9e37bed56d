/** Earlier occurrences of an error with their fixes, and recurring errors. Redacted. */
import type { Fix } from '../../analyze/failures/fixes.ts'
import { errorLines } from '../../analyze/failures/signature.ts'
import { redactVisible } from '../../core/redact.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { agreedFix, fixText, isInScope, type SolvedRow } from './agreed-fix.ts'

export interface Occurrence {
  /** Turn of the success, else of the failure; for `show`. */
  readonly id: string | null
  readonly session_id: string
  readonly harness: string
  readonly project: string | null
  readonly at: string
  readonly tool: string
  readonly command: string
  readonly error: string
  /** form: another form of the command passed. unchanged: it passed again without a change. */
  readonly outcome: 'fixed' | 'form' | 'unchanged' | 'unclear' | 'open'
  readonly failures: number
  /** Between the last failure and the success; null if unknown. */
  readonly fix: string | null
  readonly edits: readonly { readonly file: string; readonly before?: string; readonly after?: string }[]
  readonly commands: readonly string[]
  readonly cause: string | null
  readonly calls: number
  readonly turns: number
}

export interface FixAnswer {
  readonly errors: readonly { readonly line: string; readonly signature: string }[]
  /** exact: same signature. words: lines with the text. */
  readonly matched: 'exact' | 'words' | 'none'
  /** Solved first, then newest. */
  readonly occurrences: readonly Occurrence[]
  readonly total: number
}

export interface Friction {
  readonly error: string
  readonly signature: string
  readonly program: string
  readonly sessions: number
  readonly failures: number
  /** Spent until it was gone. */
  readonly turns: number
  readonly calls: number
  readonly last: string
  readonly id: string | null
  /** Set if earlier sessions agree. */
  readonly fix: string | null
  /** Passed again without a change. */
  readonly unchanged: number
}

const MOST_ROWS = 500
const MOST_SHOWN = 10
const LEAST_SESSIONS = 3
const ORDER = { fixed: 0, form: 1, unchanged: 2, unclear: 3, open: 4 } as const

interface Row extends SolvedRow {
  readonly signature: string
  readonly source: string
  readonly project_name: string | null
  readonly calls: number
  readonly turns: number
  readonly turn_id: string | null
}

export interface FixRequest {
  readonly agentId: string
  readonly scope?: ProjectScope | undefined
  readonly limit?: number | undefined
}

export async function findFixes(store: Store, text: string, { agentId, scope, limit = MOST_SHOWN }: FixRequest): Promise<FixAnswer> {
  const errors = errorLines(text)
  const exact =
    errors.length === 0
      ? []
      : await rowsWhere(store, { agentId, scope }, (query) =>
          query.where(
            'f.signature',
            'in',
            errors.map(({ signature }) => signature),
          ),
        )
  const words = exact.length > 0 ? [] : await rowsWithWords(store, text, { agentId, scope })
  const found = exact.length > 0 ? exact : words
  const sessions = new Map<string, Row[]>()
  for (const row of found) sessions.set(row.session_id, [...(sessions.get(row.session_id) ?? []), row])
  const all = [...sessions.values()].map(occurrenceOf)
  all.sort((a, b) => ORDER[a.shown.outcome] - ORDER[b.shown.outcome] || (a.at > b.at ? -1 : 1))
  const shown = all.slice(0, limit)
  const turns = await turnsOf(
    store,
    shown.map(({ call }) => call),
  )
  const short = await shortTurnIds(store, [...turns.values()])
  return {
    errors,
    matched: exact.length > 0 ? 'exact' : words.length > 0 ? 'words' : 'none',
    occurrences: shown.map(({ shown: one, call }) => ({ ...one, id: short.get(turns.get(call) ?? '') ?? null })),
    total: all.length,
  }
}

/** Errors of three or more sessions, costliest first. */
export async function findFriction(
  store: Store,
  { agentId, scope, limit = 20 }: FixRequest,
): Promise<{ friction: Friction[]; total: number }> {
  const repeated = await repeatedSignatures(store, { agentId, scope })
  const found: (Friction & { readonly ids: ReadonlySet<string>; readonly call: string })[] = []
  for (const signature of repeated) {
    const rows = await rowsWhere(store, { agentId, scope }, (query) => query.where('f.signature', '=', signature))
    const sessions = new Set(rows.map(({ session_id }) => session_id))
    const [newest] = rows
    if (newest === undefined || sessions.size < LEAST_SESSIONS) continue
    const ended = rows.filter(({ state }) => state !== 'again')
    const tool = newest.tool
    const fix = agreedFix(rows, { tool, command: isShell(newest) ? newest.shown : undefined, project: scope ?? scopeOfRow(newest) })
    found.push({
      ...{ error: newest.line, signature, program: newest.program, sessions: sessions.size, failures: rows.length },
      turns: ended.reduce((sum, { turns }) => sum + Math.max(1, turns), 0),
      calls: ended.reduce((sum, { calls }) => sum + calls, 0),
      ...{ last: toIso(newest.at ?? 0), id: null, unchanged: rows.filter(({ state }) => state === 'unchanged').length },
      fix: fix?.what ?? null,
      ...{ ids: new Set(rows.map(({ call_id }) => call_id)), call: newest.call_id },
    })
  }
  found.sort((a, b) => b.turns - a.turns || b.failures - a.failures || (a.error < b.error ? -1 : 1))
  // Lines of one failure count once.
  const distinct = found.filter(
    (one, i) => !found.slice(0, i).some(({ ids }) => [...one.ids].filter((id) => ids.has(id)).length > one.ids.size / 2),
  )
  const shown = distinct.slice(0, limit)
  const turns = await turnsOf(
    store,
    shown.map(({ call }) => call),
  )
  const short = await shortTurnIds(store, [...turns.values()])
  return {
    friction: shown.map(({ ids: _, call, ...one }) => ({ ...one, id: short.get(turns.get(call) ?? '') ?? null })),
    total: distinct.length,
  }
}

function isShell({ program, tool }: SolvedRow): boolean {
  return program !== tool
}

function scopeOfRow({ repository, project }: SolvedRow): ProjectScope {
  return { keys: [repository ?? project ?? ''], folders: [], ids: [] }
}

function selected(store: Store) {
  return store.read
    .selectFrom('failures as f')
    .innerJoin('agent_sessions as s', 's.id', 'f.session_id')
    .select(['f.call_id', 'f.signature', 'f.session_id', 'f.rank', 'f.tool', 'f.program', 'f.command', 'f.line', 'f.shown', 'f.state'])
    .select(['f.fix_json', 'f.solved_call', 'f.at', 'f.calls', 'f.turns'])
    .select(['s.project', 's.repository', 's.workspace_path', 's.source', 's.project_name'])
    .where('s.status', '<>', 'deleted')
}

async function rowsWhere(
  store: Store,
  { agentId, scope }: FixRequest,
  filter: (query: ReturnType<typeof selected>) => ReturnType<typeof selected>,
): Promise<Row[]> {
  let query = filter(selected(store))
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  const rows = await query.orderBy('f.at', 'desc').limit(MOST_ROWS).execute()
  return rows.map((row) => ({ ...row, turn_id: null })).filter((row) => scope === undefined || isInScope(row, scope))
}

async function rowsWithWords(store: Store, text: string, request: FixRequest): Promise<Row[]> {
  const words = redactVisible(text.slice(0, 400)).replace(/\s+/g, ' ').trim()
  if (words.length < 4) return []
  return rowsWhere(store, request, (query) =>
    query.where((eb) => eb(eb.fn<number>('instr', [eb.fn('lower', ['f.line']), eb.val(words.toLowerCase())]), '>', 0)),
  )
}

async function repeatedSignatures(store: Store, { agentId, scope }: FixRequest): Promise<string[]> {
  let query = store.read
    .selectFrom('failures as f')
    .innerJoin('agent_sessions as s', 's.id', 'f.session_id')
    .select(['f.signature'])
    .where('s.status', '<>', 'deleted')
    .groupBy('f.signature')
    .having((eb) => eb(eb.fn.count('f.session_id').distinct(), '>=', LEAST_SESSIONS))
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  if (scope !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('s.repository', 's.project'), 'in', scope.keys.length === 0 ? [''] : scope.keys),
        eb('s.workspace_path', 'in', scope.folders.length === 0 ? [''] : scope.folders),
        eb('s.id', 'in', scope.ids.length === 0 ? [''] : scope.ids),
      ]),
    )
  return (await query.execute()).map(({ signature }) => signature)
}

function occurrenceOf(rows: readonly Row[]): { shown: Occurrence; at: number; call: string } {
  const ended = rows.filter(({ state }) => state !== 'again')
  const solved = (ended.length > 0 ? ended : rows).toSorted(
    (a, b) => ORDER[outcomeOf(a)] - ORDER[outcomeOf(b)] || a.rank - b.rank || (b.at ?? 0) - (a.at ?? 0),
  )
  const row = solved[0] as Row
  const fix = row.fix_json === null || row.state === 'unclear' ? undefined : (JSON.parse(row.fix_json) as Fix)
  return {
    at: row.at ?? 0,
    call: row.solved_call ?? row.call_id,
    shown: {
      ...{ id: null, session_id: row.session_id, harness: row.source, project: row.project_name ?? row.project, at: toIso(row.at ?? 0) },
      ...{ tool: row.tool, command: row.shown, error: row.line, outcome: outcomeOf(row) },
      failures: new Set(rows.map(({ call_id }) => call_id)).size,
      fix: row.state === 'unchanged' ? 'passed again without a change' : fix === undefined ? null : fixText(fix),
      edits: fix?.edits ?? [],
      commands: fix === undefined ? [] : [...(fix.form === undefined ? [] : [fix.form]), ...fix.did],
      cause: fix?.why ?? null,
      ...{ calls: row.calls, turns: row.turns },
    },
  }
}

function outcomeOf({ state }: Pick<Row, 'state'>): Occurrence['outcome'] {
  return state === 'again' ? 'open' : state
}

async function turnsOf({ read }: Store, calls: readonly string[]): Promise<Map<string, string>> {
  if (calls.length === 0) return new Map()
  const rows = await read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select(['c.id', 'm.turn_id'])
    .where('c.id', 'in', [...calls])
    .execute()
  return new Map(rows.flatMap(({ id, turn_id }) => (turn_id === null ? [] : [[id, turn_id] as const])))
}
