/** Session files among units that are rewritten in place: they only grow, so the carry itself says how far they were read. */
import { sha256 } from '../../../core/hash.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { isFields } from '../fields.ts'
import type { Place } from './dialect.ts'
import { readSessionFile } from './read-session-file.ts'

/** How many bytes before the place are compared to see that a file only grew. */
const TAIL = 4096

export async function* readResumedFile(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, place }: { reader: UnitReader; place: Place },
): AsyncGenerator<ReadItem, void, undefined> {
  const from = await resumePoint(unit, since?.carry, reader)
  for await (const item of readSessionFile({ unit, since: from, reader, place })) {
    if (item.type !== 'checkpoint') yield item
    else yield { ...item, carry: { at: item.offset, tail: await tailOf(unit.path, item.offset, reader), file: item.carry } }
  }
}

async function resumePoint(unit: SourceUnit, carry: unknown, reader: UnitReader): Promise<Checkpoint | undefined> {
  if (!isFields(carry) || typeof carry.at !== 'number' || carry.at > unit.size) return undefined
  return (await tailOf(unit.path, carry.at, reader)) === carry.tail ? { offset: carry.at, carry: carry.file } : undefined
}

async function tailOf(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL, offset)
  return sha256(await reader.slice(path, offset - length, length))
}
