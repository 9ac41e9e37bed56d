/** When a session began, by its header. A fork copies older messages behind a newer header: it comes after what it was forked from. */
import { parseTimestamp } from '../../../core/time.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { HEAD_BYTES } from '../judged-lines.ts'
import { parseLine } from '../parse-line.ts'
import { newestTime } from '../times-in.ts'
import { isHeader } from './record-types.ts'

export async function sessionAge(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (at === 'end') return newestTime(unit, reader)
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8').split('\n', 8)
  const header = head.flatMap((line) => parseLine(line).values).find(isHeader)
  return parseTimestamp(header?.timestamp) ?? unit.mtimeMs
}
