/** Earlier failed calls with the project of their session, newest first, for lookups of hooks. */
import type { Store } from '../../store/store.ts'

interface Scope {
  readonly agentId: string
  readonly before?: number | undefined
}

export function failedCalls(read: Store['read'], { agentId, before }: Scope) {
  const query = read
    .selectFrom('failures as f')
    .innerJoin('agent_sessions as s', 's.id', 'f.session_id')
    .select([
      'f.call_id',
      'f.session_id',
      'f.rank',
      'f.tool',
      'f.program',
      'f.command',
      'f.line',
      'f.shown',
      'f.state',
      'f.fix_json',
      'f.solved_call',
      'f.at',
    ])
    .select(['s.project', 's.repository', 's.workspace_path'])
    .where('s.status', '<>', 'deleted')
    .$if(agentId !== 'all', (all) => all.where('s.agent_id', '=', agentId))
    .$if(before !== undefined, (all) => all.where('f.at', '<', before as number))
  return query.orderBy('f.at', 'desc')
}
