import { isoOrNull } from '../core/time.ts'
import { lastDone } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { waitingSessionsOf } from './counts.ts'

/** snake_case: part of the JSON of `memory_status`. */
export interface AgentStatus {
  readonly last_sync: string | null
  readonly sessions: number
  readonly turns: number
  readonly documents: number
  readonly chunks: number
  readonly waiting_sessions: number
}

export async function agentStatus(store: Store, agentId: string): Promise<AgentStatus> {
  const { sessions } = await store.read
    .selectFrom('agent_sessions')
    .select((eb) => eb.fn.countAll<number>().as('sessions'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  const { turns } = await store.read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .select((eb) => eb.fn.countAll<number>().as('turns'))
    .where('s.agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  // Reads no chunk.
  const { documents, chunks } = await store.read
    .selectFrom('files')
    .select((eb) => [eb.fn.countAll<number>().as('documents'), eb.fn.sum<number>('chunk_count').as('chunks')])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return {
    last_sync: isoOrNull((await lastDone(store, 'sync')) ?? null),
    sessions: Number(sessions),
    turns: Number(turns),
    documents: Number(documents),
    chunks: Number(chunks ?? 0),
    waiting_sessions: await waitingSessionsOf(store, agentId),
  }
}
