/** The desk at which one transcript is read: names, memory, and the items that the line at hand has given so far. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'
import type { ReadState } from './read-state.ts'
import type { UnitNames } from './unit-names.ts'

export interface Reading {
  readonly names: UnitNames
  readonly state: ReadState
  /** A subagent's `.meta.json`, where it has one. */
  readonly meta: Fields | undefined
  /** Whole outputs of the line at hand, by call, where the transcript holds only their beginning. */
  outputs: ReadonlyMap<string, string>
  items: ReadItem[]
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}
