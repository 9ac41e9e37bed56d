/** `session_list`: sessions, newest first, a line each, paged by number. */
import { given } from '../core/given.ts'
import { type Mnemonic, type SessionsRequest, sessionsForAgent } from '../library/index.ts'
import type { Answered } from './answered.ts'

/** About 600 tokens. */
const LIMIT = 20
/** The library lists no more. */
const MOST = 10_000

export interface ListRequest extends Omit<SessionsRequest, 'agent' | 'subagents'> {
  readonly from?: number
}

export async function listSessions(
  mnemonic: Pick<Mnemonic, 'sessionList'>,
  answered: Answered,
  { from = 1, limit = LIMIT, ...filters }: ListRequest,
): Promise<{ text: string; document: object }> {
  const last = Math.min(MOST, from - 1 + limit)
  const found = await mnemonic.sessionList({ ...filters, limit: last })
  const sessions = found.sessions.slice(from - 1)
  answered.remember(
    sessions.map(({ session_id }) => session_id),
    { first: from },
  )
  const { total } = found
  const next_from = sessions.length > 0 && total > last && last < MOST ? last + 1 : null
  const next = next_from === null ? undefined : `Next: session_list ${JSON.stringify({ ...filters, from: next_from })}`
  return { text: await sessionsForAgent(sessions, { from: from - 1, total, ...given({ next }) }), document: { sessions, total, next_from } }
}
