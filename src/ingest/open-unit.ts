/** Where reading of a unit begins, and what it gives from there: in this thread, or in one that reads ahead. */
import type { Adapter, Checkpoint, ReadItem, SourceUnit } from './adapter.ts'
import { carriedOver, carryOf, resumePoint, type UnitState } from './sync-state.ts'
import type { CountingReader } from './unit-reader.ts'

export interface OpenedUnit {
  /** Undefined where it is read from its beginning. */
  readonly since: Checkpoint | undefined
  readonly items: AsyncIterable<ReadItem>
}

export type OpenUnit = (unit: SourceUnit, state: UnitState | undefined) => Promise<OpenedUnit>

export interface Reading {
  readonly adapter: Adapter
  readonly reader: CountingReader
  /** Each unit from its beginning, whatever is known of it. */
  readonly reread: boolean
}

/**
 * Reads units ahead of who asks for them, which is in the order of the list; one may be left before its end. The bytes that it reads are
 * counted by the reader that it is given. Undefined where that is not worth it, or where these units can only be read here.
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
