/** Decides about a whole session file before anything of it is kept. Streams it: a file of any size takes the memory of one line. */
import { MnemonicError } from '../../../core/error.ts'
import { type Line, readLines } from '../../lines.ts'
import { lineValues } from '../parse-line.ts'
import { looksLikeSessionLine, sessionLine } from './session-line.ts'

/** Throws NOT_THIS_FORMAT or VALIDATION_ERROR where the file must not be imported. */
export async function judgeFile(chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  let lines = 0
  let good = 0
  let alike = 0
  for await (const line of readLines(chunks)) {
    if (!line.valid) {
      throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details: { path, line: line.number, reasons: ['not UTF-8'] } })
    }
    const { values, error } = lineValues(line)
    if (isNothing(line, values, error)) continue
    lines += 1
    if (error === undefined && values.every((value) => 'line' in sessionLine(value))) good += 1
    if (values.some(looksLikeSessionLine)) alike += 1
  }
  if (lines === 0 || good * 2 >= lines) return
  const reasons = [good === 0 ? 'no line is valid' : `${lines - good} of ${lines} lines are bad`]
  if (alike === 0) {
    throw new MnemonicError('NOT_THIS_FORMAT', `not a session file: ${path}`, {
      details: { path, lines, reasons },
      hint: 'A session file has one JSON object a line, with role, content and timestamp.',
    })
  }
  throw new MnemonicError('VALIDATION_ERROR', `not a valid session file: ${path}`, {
    details: { path, lines, bad: lines - good, reasons },
    hint: 'mnemonic chunk --validate-only says what is wrong, line by line.',
  })
}

/** Blank, or a last line that is still being written. */
export function isNothing(line: Line, values: readonly unknown[], error: string | undefined): boolean {
  return error === undefined ? values.length === 0 : !line.complete
}
