/** What stands above the ledger of MEMORY.md: open decisions and actions, people and projects of the window. From the summaries that were made. */
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { isTrust } from '../../core/trust.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { HeadFacts, HeadItem } from './memory-head.ts'

/** Of so many of the newest sessions. */
export const MOST_SESSIONS = 40

/** `ledgerPath` is where the full list of the window lies. */
export async function headFacts(store: Store, rows: readonly LedgerRow[], ledgerPath: string): Promise<HeadFacts> {
  const newest = [...rows].sort((a, b) => b.membershipTs - a.membershipTs).slice(0, MOST_SESSIONS)
  const summaries = await summariesOf(
    store,
    newest.map(({ sessionId }) => sessionId),
  )
  const items = (pick: (summary: SessionSummary) => readonly string[]): HeadItem[] =>
    newest.flatMap(({ sessionId, membershipTs, summaryPath }) => {
      const summary = summaries.get(sessionId)
      if (summary === undefined) return []
      const trust = isTrust(summary.trust) ? summary.trust : 'untrusted'
      return pick(summary).map((text) => ({ text, at: membershipTs, trust, ...(summaryPath === null ? {} : { path: summaryPath }) }))
    })
  return {
    decisions: items((summary) => summary.decisions.slice(-2)),
    actions: items((summary) => summary.actions.slice(-2)),
    people: await peopleOf(
      store,
      newest.map(({ sessionId }) => sessionId),
    ),
    projects: byCount(rows.flatMap(({ project }) => (project === null ? [] : [project]))),
    pointers: [{ text: 'every session of the window', path: ledgerPath }],
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
