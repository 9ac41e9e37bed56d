/** When a session began, by its header. A fork copies older messages behind a newer header: it comes after what it was forked from. */
import { parseTimestamp } from '../../../core/time.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { parseLine } from '../parse-line.ts'
import { HEAD_BYTES } from './judge-head.ts'
import { isHeader } from './record-types.ts'

export async function sessionAge(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (at === 'end') {
    const tail = (await reader.slice(unit.path, Math.max(0, unit.size - HEAD_BYTES), HEAD_BYTES)).toString('utf8')
    const times = [...tail.matchAll(/"timestamp":\s*"([^"]{10,40})"/g)].map((match) => parseTimestamp(match[1]) ?? 0)
    return Math.max(0, ...times)
  }
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8').split('\n', 8)
  const header = head.flatMap((line) => parseLine(line).values).find(isHeader)
  return parseTimestamp(header?.timestamp) ?? unit.mtimeMs
}
