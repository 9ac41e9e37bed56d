import { turnPath } from '../../core/ids.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import type { Term, WorkCall } from '../../store/work.ts'
import type { SearchResult } from '../result.ts'
import { workText } from './text.ts'

const TITLE_LENGTH = 200
const PATH_LENGTH = 65_536
/** Calls of one session before those of the next. */
const MOST_IN_ROW = 3
const LOOKED_AT = 4

export interface PresentedWork {
  readonly results: readonly SearchResult[]
  readonly sessions: readonly string[]
}

export async function presentWork(store: Store, ids: readonly number[], { terms, exact, limit, explain }: Wanted): Promise<PresentedWork> {
  const found = await store.work.calls(ids, 0)
  const calls = await store.work.calls(inTurns(found).slice(0, limit * LOOKED_AT))
  const sessions = await sessionsOf(store, calls)
  const short = await shortTurnIds(
    store,
    calls.flatMap(({ turn_id }) => turn_id ?? []),
  )
  const results = new Map<string, SearchResult>()
  for (const call of calls) {
    if (results.size === limit) break
    const session = sessions.get(call.session_id)
    if (session === undefined) continue
    const { content, excerpt } = workText(call, terms, session.project)
    const key = `${call.session_id}\n${content}`
    if (!results.has(key)) results.set(key, resultOf(call, { session, content, excerpt, short, terms, exact, explain }))
  }
  return { results: [...results.values()], sessions: found.map(({ session_id }) => session_id) }
}

export interface Wanted {
  readonly terms: readonly Term[]
  /** Each call holds all terms, even if its excerpt does not. */
  readonly exact: boolean
  readonly limit: number
  readonly explain: boolean
}

/** Moves further calls of a session back: one loop of an agent must not fill the answer. */
function inTurns(found: readonly Pick<WorkCall, 'id' | 'session_id'>[]): number[] {
  const seen = new Map<string, number>()
  const first: number[] = []
  const later: number[] = []
  for (const { id, session_id } of found) {
    const count = (seen.get(session_id) ?? 0) + 1
    seen.set(session_id, count)
    ;(count > MOST_IN_ROW ? later : first).push(id)
  }
  return [...first, ...later]
}

interface Session {
  readonly label: string
  readonly harness: string
  readonly title: string | null
  readonly project: string | null
  readonly project_name: string | null
}

async function sessionsOf(store: Store, calls: readonly WorkCall[]): Promise<Map<string, Session>> {
  const ids = [...new Set(calls.map(({ session_id }) => session_id))]
  if (ids.length === 0) return new Map()
  const facts = await store.rows.sessions(ids)
  return new Map(
    facts.map(({ id, source, title, project, project_name, label }) => [
      id,
      {
        label,
        harness: source,
        title: safe(title, TITLE_LENGTH),
        project: safe(project, PATH_LENGTH),
        project_name: safe(project_name, TITLE_LENGTH),
      },
    ]),
  )
}

function safe(text: string | null, length: number): string | null {
  return text === null ? null : oneLine(redactSensitiveText(text, { mode: 'tools' }), length)
}

interface Shown extends Pick<Wanted, 'terms' | 'exact' | 'explain'> {
  readonly session: Session
  readonly content: string
  readonly excerpt: string
  readonly short: ReadonlyMap<string, string>
}

function resultOf(call: WorkCall, { session, content, excerpt, short, terms, exact, explain }: Shown): SearchResult {
  const path = call.turn_id === null ? call.call_id : turnPath(session.label, call.turn_id)
  const folded = content.toLowerCase()
  const matched = [...new Set(terms.map(({ words }) => words.join(' ')))].filter(
    (text) => exact || folded.includes(text.toLowerCase().split(' ')[0] ?? ''),
  )
  return {
    ...{ id: short.get(call.turn_id ?? '') ?? path, kind: 'work', session_id: call.session_id, turn_id: call.turn_id ?? '' },
    ...{ thread_id: '', channel: session.harness, people: [] },
    message_ids: [call.message_id, call.result_message_id].filter((id) => id !== null),
    ...{ path, source: 'sessions', harness: session.harness, ledger: 'agents', timestamp: toIso(call.timestamp), speakers: ['assistant'] },
    ...{
      session_title: session.title,
      project: session.project,
      project_name: session.project_name,
      topics: [],
      has_decision: false,
      relevance_score: 0,
    },
    ...{ content, excerpt, context: '', trust: 'untrusted', matched },
    ...(explain ? { explain: {} } : {}),
  }
}
