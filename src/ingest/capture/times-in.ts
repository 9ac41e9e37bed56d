/** Times that stand in the text of a session file, found without reading it as JSON: what puts files in order. */
import { parseTimestamp } from '../../core/time.ts'
import type { SourceUnit, UnitReader } from '../adapter.ts'
import { HEAD_BYTES } from './judged-lines.ts'

/** In the order of the text; what is no time is left out. */
export function timesIn(text: string): number[] {
  const named = [...text.matchAll(/"timestamp":\s*"([^"]{10,40})"/g)].map((match) => parseTimestamp(match[1]))
  return named.filter((time) => time !== undefined)
}

/** The newest time at the end of a file; 0 where it names none. */
export async function newestTime({ path, size }: SourceUnit, reader: UnitReader): Promise<number> {
  const tail = await reader.slice(path, Math.max(0, size - HEAD_BYTES), HEAD_BYTES)
  return Math.max(0, ...timesIn(tail.toString('utf8')))
}
