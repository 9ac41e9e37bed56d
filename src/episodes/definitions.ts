import type { Kysely } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export type Strategy = 'time_gap' | 'thread' | 'single_event' | 'aix_turn' | 'agent_turn' | 'agent_session'

export interface GroupingRule {
  readonly id: string
  readonly strategy: Strategy
  /** Null: every channel that the strategy supports. */
  readonly channel: string | null
  readonly config: Readonly<Record<string, unknown>>
}

export interface Definition extends Omit<GroupingRule, 'id'> {
  readonly name: string
  readonly description: string
}

export const REMEMBERED = 'remembered'

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
  {
    name: REMEMBERED,
    strategy: 'single_event',
    channel: 'owner',
    config: {},
    description: 'One episode for each thing that the owner stated.',
  },
  { name: 'aix_turn', strategy: 'aix_turn', channel: null, config: {}, description: 'What was asked in a turn, and its final answer.' },
  { name: 'agent_turn', strategy: 'agent_turn', channel: null, config: {}, description: 'One episode a turn, with all its messages.' },
  { name: 'agent_session', strategy: 'agent_session', channel: null, config: {}, description: 'One episode a session.' },
]

/** A row that the owner edited wins over the built-in definition. */
export async function readRules(db: Kysely<Tables>): Promise<GroupingRule[]> {
  const rows = await db.selectFrom('episode_definitions').select(['id', 'strategy', 'channel', 'config_json']).orderBy('id').execute()
  return rows.flatMap(({ id, strategy, channel, config_json }) =>
    isStrategy(strategy) ? [{ id, strategy, channel, config: configOf(config_json) }] : [],
  )
}

function isStrategy(name: string): name is Strategy {
  return DEFINITIONS.some(({ strategy }) => strategy === name)
}

function configOf(json: string): GroupingRule['config'] {
  const value: unknown = JSON.parse(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as GroupingRule['config']) : {}
}

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
