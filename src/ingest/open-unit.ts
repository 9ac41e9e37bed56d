import type { Adapter, Checkpoint, ReadItem, SourceUnit } from './adapter.ts'
import { carriedOver, carryOf, resumePoint, type UnitState } from './sync-state.ts'
import type { CountingReader } from './unit-reader.ts'

export interface OpenedUnit {
  readonly since: Checkpoint | undefined
  readonly items: AsyncIterable<ReadItem>
}

export type OpenUnit = (unit: SourceUnit, state: UnitState | undefined) => Promise<OpenedUnit>

export interface Reading {
  readonly adapter: Adapter
  readonly reader: CountingReader
  /** Ignores checkpoints. */
  readonly reread: boolean
}

/**
 * Reads units ahead in another thread, in list order; the caller may abandon one. Counts bytes in the given reader. Undefined if not
 * worthwhile or not possible.
 */
export type ReadAhead = (reading: Reading, units: readonly UnitToRead[]) => OpenUnit | undefined

export interface UnitToRead {
  readonly unit: SourceUnit
  readonly state: UnitState | undefined
}

export function unitOpener({ adapter, reader, reread }: Reading): OpenUnit {
  return async (unit, state) => {
    const startsOver = reread || carryOf(state).startsOver
    const since = startsOver ? undefined : adapter.rewritten ? carriedOver(state) : await resumePoint(unit, state, reader)
    return { since, items: adapter.read(unit, since, reader) }
  }
}
