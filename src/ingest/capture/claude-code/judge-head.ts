/** Decides by the first lines whether a file is a Claude Code transcript at all, before anything of it is kept. */
import { MnemonicError } from '../../../core/error.ts'
import type { Line } from '../../lines.ts'
import { type ParsedLine, parseLine } from '../parse-line.ts'
import { isClaudeRecord } from './record-types.ts'

/** How many bytes of whole lines are looked at. */
export const HEAD_BYTES = 64 * 1024

/** Throws NOT_THIS_FORMAT or VALIDATION_ERROR where the file must not be imported. Gives what each of the lines holds. */
export function judgeHead(head: readonly Line[], path: string): ParsedLine[] {
  const parsed: ParsedLine[] = []
  let lines = 0
  let bad = 0
  let ours = 0
  for (const line of head) {
    if (!line.valid) {
      throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details: { path, line: line.number, reasons: ['not UTF-8'] } })
    }
    const held = parseLine(line.text)
    const { values, error } = held
    parsed.push(held)
    // A last line that is still being written says nothing yet.
    if (error !== undefined && !line.complete && line.text.trimStart().startsWith('{')) continue
    if (values.length === 0 && error === undefined) continue
    lines += 1
    if (error !== undefined || !values.every((value) => typeof value === 'object' && value !== null && 'type' in value)) bad += 1
    if (values.some(isClaudeRecord)) ours += 1
  }
  if (lines === 0) return parsed
  if (ours === 0) {
    throw new MnemonicError('NOT_THIS_FORMAT', `not a Claude Code transcript: ${path}`, {
      details: { path, lines, reasons: ['none of the first lines is a Claude Code record'] },
    })
  }
  if (lines >= 3 && bad * 2 > lines) {
    throw new MnemonicError('VALIDATION_ERROR', `more than half of the first lines cannot be read: ${path}`, {
      details: { path, lines, bad, reasons: [`${bad} of ${lines} lines are no records`] },
    })
  }
  return parsed
}
