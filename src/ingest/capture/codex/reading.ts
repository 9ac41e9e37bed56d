/** The desk at which one rollout is read: its memory, and the items that the line at hand has given so far. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { RolloutState } from './read-state.ts'

export interface Reading {
  readonly state: RolloutState
  items: ReadItem[]
  /** Time of the line at hand. */
  at: number | undefined
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export function pushUnknown(reading: Reading, name: string): void {
  reading.items.push({ type: 'unknown', name })
}
