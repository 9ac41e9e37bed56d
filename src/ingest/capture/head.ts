import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { SourceUnit, UnitReader } from '../adapter.ts'
import type { Line } from '../lines.ts'
import { lineValues, type ParsedLine } from './parse-line.ts'

export const HEAD_BYTES = 64 * 1024

/** Without BOM; the last line may be cut off. */
export function headLines(head: Buffer | string): string[] {
  return head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
}

export function timesIn(text: string): number[] {
  const stated = [...text.matchAll(/"timestamp":\s*"([^"]{10,40})"/g)].map((match) => parseTimestamp(match[1]))
  return stated.filter((time) => time !== undefined)
}

export async function newestTime({ path, size }: SourceUnit, reader: UnitReader): Promise<number> {
  const tail = await reader.slice(path, Math.max(0, size - HEAD_BYTES), HEAD_BYTES)
  return Math.max(0, ...timesIn(tail.toString('utf8')))
}

export interface HeadFormat {
  /** With article: `a Codex rollout`. */
  readonly name: string
  readonly reason: string
  /** Limits of inspection; default: the first 64 KB. */
  readonly judged?: { readonly lines: number; readonly bytes: number }
  isRecord(value: unknown): boolean
  /** `lines`: the readable ones. */
  isOurs(lines: readonly ParsedLine[]): boolean
  /** If a head line is unreadable: whether the others suffice. */
  isOursWithout?(lines: readonly ParsedLine[]): boolean
  /** If the user named the format: what the head lacks. Undefined if nothing, or if it is another format. */
  lacks?(lines: readonly ParsedLine[]): string | undefined
}

export interface JudgedLines {
  readonly lines: readonly Line[]
  readonly parsed: readonly ParsedLine[]
  readonly warning?: string
}

interface Judge {
  readonly path: string
  readonly format: HeadFormat
  readonly adapterGiven?: boolean | undefined
}

/** Emits lines once the head is judged. Holds only the head. */
export async function* judgedLines(lists: AsyncIterable<readonly Line[]>, judge: Judge): AsyncGenerator<JudgedLines, void, undefined> {
  const { lines: most, bytes } = judge.format.judged ?? { lines: Number.POSITIVE_INFINITY, bytes: HEAD_BYTES }
  const head: Line[] = []
  let judged = false
  for await (const lines of lists) {
    if (judged) {
      yield { lines, parsed: [] }
      continue
    }
    head.push(...lines)
    const last = head.findIndex((line, i) => i + 1 >= most || line.end >= bytes)
    if (last === -1) continue
    judged = true
    const judgement = judgeHead(head.slice(0, last + 1), judge)
    yield { lines: head.splice(0), ...judgement }
  }
  if (!judged) yield { lines: head, ...judgeHead(head, judge) }
}

/** Throws NOT_THIS_FORMAT or VALIDATION_ERROR. */
function judgeHead(head: readonly Line[], { path, format, adapterGiven }: Judge): Pick<JudgedLines, 'parsed' | 'warning'> {
  const parsed: ParsedLine[] = []
  const good: ParsedLine[] = []
  let bad = 0
  for (const line of head) {
    if (line.start === 0) requireNoUtf16(line, path)
    const held = lineValues(line)
    parsed.push(held)
    const { values, error } = held
    // An incomplete last line may still be written.
    if (error !== undefined && !line.complete && line.valid && line.text.trimStart().startsWith('{')) continue
    if (values.length === 0 && error === undefined) continue
    if (error === undefined && values.every((value) => format.isRecord(value))) good.push(held)
    else bad += 1
  }
  const lines = good.length + bad
  if (lines === 0) return { parsed }
  if (
    good.length === 0 &&
    parsed.every(({ values, error, mended }) => mended !== undefined || (values.length === 0 && error === undefined))
  )
    throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details: { path, lines, reasons: ['not UTF-8'] } })
  const mended = parsed.flatMap((held) => (held.mended?.length ? [{ values: held.mended }] : []))
  const ours =
    good.length > 0 && (format.isOurs(good) || format.isOurs([...mended, ...good]) || (bad > 0 && format.isOursWithout?.(good) === true))
  const lacking = adapterGiven ? format.lacks?.(good) : undefined
  if (!ours && lacking === undefined) throw notThisFormat(path, format, lines)
  if (lines >= 3 && bad * 2 > lines) {
    throw new MnemonicError('VALIDATION_ERROR', `more than half of the first lines cannot be read: ${path}`, {
      details: { path, lines, bad, reasons: [`${bad} of ${lines} lines are no records`] },
    })
  }
  return lacking === undefined ? { parsed } : { parsed, warning: `${path}: ${lacking}` }
}

/** Otherwise every line would count as bad. */
export function requireNoUtf16({ text, valid }: Line, path: string): void {
  // The UTF-16 BOM is invalid UTF-8; every other byte of plain text is then 0.
  if (valid || !text.startsWith('\ufffd\ufffd') || (text.split('\0').length - 1) * 4 < text.length) return
  throw new MnemonicError('VALIDATION_ERROR', `this file is UTF-16, not UTF-8: ${path}`, {
    details: { path, reasons: ['UTF-16, not UTF-8'] },
    hint: 'Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > COPY',
  })
}

export function notThisFormat(path: string, { name, reason }: HeadFormat, lines?: number): MnemonicError {
  return new MnemonicError('NOT_THIS_FORMAT', `not ${name}: ${path}`, {
    details: { path, ...given({ lines }), reasons: [reason] },
  })
}
