/** The records with which the conversation of an export begins: what is known of it, and its title. */
import { shortHash } from '../../../core/hash.ts'
import { type AgentRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'

export interface Opening {
  readonly session: string
  readonly model: string | undefined
  readonly title: string | undefined
  /** When the service last changed it: of two exports the newer one says where it stands. */
  readonly changedAt: number | undefined
  readonly context: Readonly<Record<string, unknown>> | undefined
  readonly raw: unknown
}

export function openingItems({ session, model, title, changedAt, context, raw }: Opening): ReadItem[] {
  const record: AgentRecord = {
    type: 'session',
    session,
    firstHash: shortHash(16, session),
    ...(model === undefined ? {} : { model }),
    ...(changedAt === undefined ? {} : { changedAt }),
    ...(context === undefined ? {} : { context }),
    raw,
  }
  const items: ReadItem[] = [{ type: 'record', record }]
  if (title === undefined) return items
  return [...items, { type: 'record', record: { type: 'title', session, title, rank: TITLE_RANK.generated } }]
}
