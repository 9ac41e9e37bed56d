/** The ways in which records are grouped into episodes, as rows that the database is seeded with. */
import type { Clock } from '../core/clock.ts'
import type { WriteTx } from '../store/store.ts'

export type Strategy = 'time_gap' | 'thread' | 'single_event' | 'aix_turn' | 'agent_turn' | 'agent_session'

export interface Definition {
  /** Also its id: part of the id of each of its episodes. */
  readonly name: string
  readonly strategy: Strategy
  /** Null: of every channel that the strategy knows. */
  readonly channel: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly description: string
}

export const DEFINITIONS: readonly Definition[] = [
  {
    name: 'time_gap_90min',
    strategy: 'time_gap',
    channel: 'imessage',
    config: { gap_seconds: 5400, scope: 'thread' },
    description: 'Messages of one chat without a pause of 90 minutes.',
  },
  { name: 'gmail_thread', strategy: 'thread', channel: 'gmail', config: {}, description: 'One episode a mail thread.' },
  { name: 'calendar_event', strategy: 'single_event', channel: 'calendar', config: {}, description: 'One episode a calendar event.' },
  { name: 'aix_turn', strategy: 'aix_turn', channel: null, config: {}, description: 'What was asked in a turn, and its final answer.' },
  { name: 'agent_turn', strategy: 'agent_turn', channel: null, config: {}, description: 'One episode a turn, with all its messages.' },
  { name: 'agent_session', strategy: 'agent_session', channel: null, config: {}, description: 'One episode a session.' },
]

/** Writes the rows of the built-in definitions that are missing. */
export async function seedDefinitions(tx: WriteTx, clock: Clock): Promise<void> {
  const now = clock()
  const rows = DEFINITIONS.map(({ name, strategy, channel, config, description }) => ({
    ...{ id: name, name, channel, strategy, config_json: JSON.stringify(config), description, created_at: now, updated_at: now },
  }))
  await tx.db
    .insertInto('episode_definitions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
