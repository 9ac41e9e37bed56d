/** Reads what the head of MEMORY.md says: from summaries of sessions that are listed, and from what was stated in any that is published. */
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'
import type { HeadFacts, HeadPointer } from './head-item.ts'
import { knownPeople } from './known-people.ts'
import type { LedgerRow } from './ledger-row.ts'
import { leftOpen, standingOf } from './standing.ts'
import { projectNames, statedFacts } from './stated-facts.ts'

/** Of so many of the newest sessions. */
export const MOST_SESSIONS = 40

/** Tasks of older sessions are done, or nobody knows. */
const RECENT = 10

export interface HeadOptions {
  readonly agentId: string
  readonly now: number
  readonly isTemporary: (project: string | null) => boolean
  /** Where more is to be found. */
  readonly pointers: readonly HeadPointer[]
}

/** Of the rows that are listed, and of what was stated in any session that is published. */
export async function headFacts(
  store: Store,
  rows: readonly LedgerRow[],
  { agentId, now, isTemporary, pointers }: HeadOptions,
): Promise<HeadFacts> {
  const newest = [...rows].sort((a, b) => b.membershipTs - a.membershipTs || (a.sessionId < b.sessionId ? -1 : 1)).slice(0, MOST_SESSIONS)
  const ids = newest.map(({ sessionId }) => sessionId)
  const summaries = await summariesOf(store, ids)
  const known = await projectNames(store, ids)
  const sessions = newest.map((row) => ({ row, name: known.get(row.sessionId), summary: summaries.get(row.sessionId) }))
  const listed = new Map(rows.flatMap(({ sessionId, summaryPath }) => (summaryPath === null ? [] : [[sessionId, summaryPath] as const])))
  const stated = await statedFacts(store, { agentId, isTemporary, listed, recent: new Set(ids.slice(0, RECENT)) })
  const open = leftOpen(sessions.slice(0, RECENT))
  return {
    standing: standingOf(sessions),
    decisions: stated.decisions,
    actions: [...open, ...stated.actions],
    preferences: stated.preferences,
    people: await peopleOf(store, ids),
    known: await knownPeople(store, { agentId, now, pathOf: (session) => listed.get(session) }),
    pointers,
  }
}

/** The summaries that are stored, by session. */
export async function summariesOf(store: Store, sessions: readonly string[]): Promise<Map<string, SessionSummary>> {
  if (sessions.length === 0) return new Map()
  const episodes = new Map(sessions.map((id) => [sessionEpisodeId(id), id]))
  const runs = await store.read
    .selectFrom('analysis_runs')
    .select(['episode_id', 'output_text'])
    .where('analysis_type_id', '=', 'session_summary')
    .where('episode_id', 'in', [...episodes.keys()])
    .execute()
  return new Map(
    runs.flatMap(({ episode_id, output_text }) => {
      const session = episodes.get(episode_id)
      return session !== undefined && output_text ? [[session, JSON.parse(output_text) as SessionSummary] as const] : []
    }),
  )
}

/** Who spoke besides owner and agent. */
async function peopleOf(store: Store, sessions: readonly string[]): Promise<string[]> {
  if (sessions.length === 0) return []
  const rows = await store.read
    .selectFrom('agent_messages')
    .select('speaker')
    .where('session_id', 'in', sessions)
    .where('speaker', 'is not', null)
    .where('role', '=', 'user')
    .execute()
  return byCount(rows.flatMap(({ speaker }) => speaker ?? []))
}

/** The most frequent first. */
function byCount(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)
}
