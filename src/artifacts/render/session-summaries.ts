import type { SessionSummary } from '../../analyze/session-summary.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'

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
