/** Decides by the first lines whether a file is a rollout at all, before anything of it is kept. */
import { MnemonicError } from '../../../core/error.ts'
import type { Line } from '../../lines.ts'
import { isFields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { isRolloutLine } from './rollout-line.ts'

/** How many bytes of whole lines are looked at. */
export const HEAD_BYTES = 64 * 1024

/** Throws NOT_THIS_FORMAT or VALIDATION_ERROR where the file must not be imported. */
export function judgeHead(head: readonly Line[], path: string): void {
  let lines = 0
  let bad = 0
  let first: unknown
  for (const line of head) {
    if (!line.valid) {
      throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details: { path, line: line.number, reasons: ['not UTF-8'] } })
    }
    const { values, error } = parseLine(line.text)
    // A last line that is still being written says nothing yet.
    if (error !== undefined && !line.complete && line.text.trimStart().startsWith('{')) continue
    if (values.length === 0 && error === undefined) continue
    lines += 1
    if (error !== undefined || !values.every(isFields)) bad += 1
    else first ??= values[0]
  }
  if (lines === 0) return
  if (first === undefined || !isRolloutLine(first)) throw notARollout(path, lines)
  if (lines >= 3 && bad * 2 > lines) {
    throw new MnemonicError('VALIDATION_ERROR', `more than half of the first lines cannot be read: ${path}`, {
      details: { path, lines, bad, reasons: [`${bad} of ${lines} lines are no records`] },
    })
  }
}

export function notARollout(path: string, lines?: number): MnemonicError {
  return new MnemonicError('NOT_THIS_FORMAT', `not a Codex rollout: ${path}`, {
    details: { path, ...(lines === undefined ? {} : { lines }), reasons: ['it does not begin as a Codex rollout does'] },
  })
}
