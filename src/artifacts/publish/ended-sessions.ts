/** Finds ended sessions with data that no artifact covers. */
import { SESSION_EPISODE } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'

/** Oldest first. Skips subagents and empty sessions. */
export async function endedSessions(store: Store, agentId: string | undefined): Promise<string[]> {
  const ended = store.read
    .selectFrom('agent_sessions as s')
    .select('s.id')
    .where('s.status', '=', 'ended')
    .where('s.is_subagent', '=', 0)
    .where((eb) => {
      const { exists, or, not, selectFrom } = eb
      const spoken = selectFrom('agent_messages as m')
        .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
        .whereRef('m.session_id', '=', 's.id')
        .where('t.status', '=', 'final')
        .where('m.role', 'in', ['user', 'assistant'])
        .where('m.content', '<>', '')
      const summaries = selectFrom('artifacts as a')
        .select('a.source_path')
        .whereRef('a.agent_id', '=', 's.agent_id')
        .whereRef('a.session_id', '=', 's.id')
        // Filters by name: a filter on kind makes SQLite scan an index of all summaries per session.
        .where('a.source_path', 'like', '%--summary.md')
      const uncompacted = selectFrom('agent_compactions as c')
        .select('c.id')
        .whereRef('c.session_id', '=', 's.id')
        .where(({ not: no, exists: there, selectFrom: from }) =>
          no(
            there(
              from('artifacts as b')
                .select('b.source_path')
                .whereRef('b.agent_id', '=', 's.agent_id')
                .whereRef('b.session_id', '=', 's.id')
                .where('b.source_path', 'like', '%--compaction.md')
                .where((eb) => eb.or([eb('c.timestamp', 'is', null), eb('b.captured_at', '=', eb.ref('c.timestamp'))])),
            ),
          ),
        )
      // Compactions may share a time or have none, so counts are compared.
      const compacted = selectFrom('agent_compactions as c')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .whereRef('c.session_id', '=', 's.id')
      const published = selectFrom('artifacts as b')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .whereRef('b.agent_id', '=', 's.agent_id')
        .whereRef('b.session_id', '=', 's.id')
        .where('b.source_path', 'like', '%--compaction.md')
      const uncovered = not(exists(summaries.whereRef('a.captured_at', '>=', 's.last_message_at'))).and(
        // Data after the newest summary may be nothing publishable.
        not(
          exists(
            summaries.where((eb) =>
              eb(
                'a.captured_at',
                '>=',
                spoken.select((m) => m.fn.max('m.timestamp').as('last')),
              ),
            ),
          ),
        ),
      )
      // If all messages share one time, compares sequences instead.
      const seen = selectFrom('episodes as e')
        .innerJoin('analysis_runs as r', 'r.episode_id', 'e.id')
        .innerJoin('agent_messages as n', 'n.id', 'r.last_event_id')
        .select('n.sequence')
        .where('r.analysis_type_id', '=', 'memory_sentence_v1')
        .where('e.definition_id', '=', SESSION_EPISODE)
        .whereRef('e.thread_id', '=', 's.id')
      const grown = exists(spoken.select('m.id').where('m.sequence', '>', seen))
      return or([uncovered, exists(uncompacted), eb(compacted, '>', published), grown]).and(exists(spoken.select('m.id')))
    })
    .orderBy('s.last_message_at')
    .orderBy('s.id')
  const rows = await (agentId === undefined ? ended : ended.where('s.agent_id', '=', agentId)).execute()
  return rows.map(({ id }) => id)
}

export async function publishedSessions(store: Store, agentId: string | undefined): Promise<string[]> {
  const published = store.read
    .selectFrom('agent_sessions as s')
    .innerJoin('artifacts as a', 'a.session_id', 's.id')
    .select(['s.id', 's.last_message_at'])
    .distinct()
    .where('s.status', '=', 'ended')
    .where('s.is_subagent', '=', 0)
    .where('a.source_kind', '=', 'summary')
    .orderBy('s.last_message_at')
    .orderBy('s.id')
  const rows = await (agentId === undefined ? published : published.where('s.agent_id', '=', agentId)).execute()
  return rows.map(({ id }) => id)
}
