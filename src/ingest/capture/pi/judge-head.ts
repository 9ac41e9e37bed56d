/** Decides by the first lines whether a file is a pi session at all, before anything of it is kept, and finds its header. */
import { MnemonicError } from '../../../core/error.ts'
import type { Line } from '../../lines.ts'
import type { Fields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { isHeader } from './record-types.ts'

/** How many bytes of whole lines are looked at. */
export const HEAD_BYTES = 64 * 1024

/** Undefined for a file without a single line. Throws NOT_THIS_FORMAT or VALIDATION_ERROR where it must not be imported. */
export function judgeHead(head: readonly Line[], path: string): Fields | undefined {
  let header: Fields | undefined
  let lines = 0
  let bad = 0
  for (const line of head) {
    if (!line.valid) throw refused('VALIDATION_ERROR', path, 'not UTF-8')
    const { values, error } = parseLine(line.text)
    // A last line that is still being written says nothing yet.
    if (error !== undefined && !line.complete && line.text.trimStart().startsWith('{')) continue
    if (values.length === 0 && error === undefined) continue
    lines += 1
    if (error !== undefined || !values.every((value) => typeof value === 'object' && value !== null && 'type' in value)) bad += 1
    header ??= values.find(isHeader)
  }
  if (lines === 0) return undefined
  if (header === undefined) throw refused('NOT_THIS_FORMAT', path, 'none of the first lines is a session header')
  if (lines >= 3 && bad * 2 > lines) throw refused('VALIDATION_ERROR', path, `${bad} of ${lines} lines are no records`)
  return header
}

function refused(code: 'NOT_THIS_FORMAT' | 'VALIDATION_ERROR', path: string, reason: string): MnemonicError {
  return new MnemonicError(code, `no pi session: ${path}: ${reason}`, { details: { path, reasons: [reason] } })
}
