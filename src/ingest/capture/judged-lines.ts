/** The lines of a session file, given out only once its first ones were found to be of their format. Holds no more than those. */
import { MnemonicError } from '../../core/error.ts'
import { type Line, readLineLists } from '../lines.ts'
import { lineValues, type ParsedLine } from './parse-line.ts'

/** How many bytes of whole lines are looked at. */
export const HEAD_BYTES = 64 * 1024

/** How a format is known by its first lines. */
export interface HeadFormat {
  /** What a refusal calls it: `a Codex rollout`. */
  readonly name: string
  /** Why the first lines are none of it. */
  readonly reason: string
  /** False for a value that no such file holds: a bad line. */
  isRecord(value: unknown): boolean
  /** `lines`: those that could be read, in order. */
  isOurs(lines: readonly ParsedLine[]): boolean
  /** What lines that are not, but of a file that is said to be, lack; undefined where they are something else. */
  lacks?(lines: readonly ParsedLine[]): string | undefined
}

export interface JudgedLines {
  readonly lines: readonly Line[]
  /** What the first of them hold, where that was looked at already. */
  readonly parsed: readonly ParsedLine[]
  /** What its beginning lacks, in a file that is read all the same. */
  readonly warning?: string
}

interface From {
  readonly path: string
  readonly format: HeadFormat
  readonly offset: number
  readonly line: number
  /** The caller said that it is of this format. */
  readonly named?: boolean | undefined
}

/** `chunks` begin at `offset`: what lies before it was judged by an earlier read. */
export async function* judgedLines(chunks: AsyncIterable<Buffer>, from: From): AsyncGenerator<JudgedLines, void, undefined> {
  const head: Line[] = []
  let judged = from.offset > 0
  for await (const lines of readLineLists(chunks, { offset: from.offset, line: from.line })) {
    if (judged) {
      yield { lines, parsed: [] }
      continue
    }
    head.push(...lines)
    const last = head.findIndex((line) => line.end >= HEAD_BYTES)
    if (last === -1) continue
    judged = true
    const judgement = judgeHead(head.slice(0, last + 1), from)
    yield { lines: head.splice(0), ...judgement }
  }
  if (!judged) yield { lines: head, ...judgeHead(head, from) }
}

/** Throws NOT_THIS_FORMAT or VALIDATION_ERROR where the file must not be imported. Gives what each of the lines holds. */
function judgeHead(head: readonly Line[], { path, format, named }: From): Pick<JudgedLines, 'parsed' | 'warning'> {
  const parsed: ParsedLine[] = []
  const good: ParsedLine[] = []
  let bad = 0
  for (const line of head) {
    if (!line.valid) {
      throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details: { path, line: line.number, reasons: ['not UTF-8'] } })
    }
    const held = lineValues(line)
    parsed.push(held)
    const { values, error } = held
    // A last line that is still being written says nothing yet.
    if (error !== undefined && !line.complete && line.text.trimStart().startsWith('{')) continue
    if (values.length === 0 && error === undefined) continue
    if (error === undefined && values.every((value) => format.isRecord(value))) good.push(held)
    else bad += 1
  }
  const lines = good.length + bad
  if (lines === 0) return { parsed }
  const ours = format.isOurs(good)
  const lacking = named && !ours ? format.lacks?.(good) : undefined
  if (!ours && lacking === undefined) throw notThisFormat(path, format, lines)
  if (lines >= 3 && bad * 2 > lines) {
    throw new MnemonicError('VALIDATION_ERROR', `more than half of the first lines cannot be read: ${path}`, {
      details: { path, lines, bad, reasons: [`${bad} of ${lines} lines are no records`] },
    })
  }
  return lacking === undefined ? { parsed } : { parsed, warning: `${path}: ${lacking}` }
}

export function notThisFormat(path: string, { name, reason }: HeadFormat, lines?: number): MnemonicError {
  return new MnemonicError('NOT_THIS_FORMAT', `not ${name}: ${path}`, {
    details: { path, ...(lines === undefined ? {} : { lines }), reasons: [reason] },
  })
}
