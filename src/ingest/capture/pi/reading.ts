/** The desk at which one session file is read: its place, memory, and the items that the line at hand has given so far. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Place } from './dialect.ts'
import type { ReadState } from './read-state.ts'

export interface Reading {
  readonly place: Place
  readonly state: ReadState
  items: ReadItem[]
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}
