/** Never checkpoints behind an incomplete last line. Checkpoints every 64 KB. */
import type { Checkpoint, ReadItem } from '../adapter.ts'
import type { Line } from '../lines.ts'
import { type HeadFormat, type JudgedLines, judgedLines } from './head.ts'
import { lineValues, type ParsedLine } from './parse-line.ts'

export const CHECKPOINT_BYTES = 64 * 1024

export interface Log {
  readonly path: string
  readonly lines: AsyncIterable<readonly Line[]>
  readonly offset: number
  /** Absent if the adapter already judged the file. */
  readonly format?: HeadFormat
  readonly adapterGiven?: boolean | undefined
  /** `lines`: the last complete line's number. */
  readonly state: { lines: number }
  readonly items: ReadItem[]
  /** Called before the first line, with the judged head lines. */
  begin?(head: readonly ParsedLine[]): void
  /** Appends to `items`. Returns an error text for a bad line. */
  convert(value: unknown, line: Line): Wrong | Promise<Wrong>
  /** Called after each complete line, to bound what the state remembers. */
  trim?(): void
  /** `done`: everything before it is processed. The carry must be a copy. */
  checkpoint(done: number): Checkpoint | undefined | Promise<Checkpoint | undefined>
  /** Called after the last line and its checkpoint. */
  end?(): void
}

type Wrong = string | undefined

/** `open` is lazy. Adapters must return this generator directly: wrapping it doubles the awaits per item. */
export async function* readLog(open: () => Log | Promise<Log>): AsyncGenerator<ReadItem, void, undefined> {
  const log = await open()
  const { items, state } = log
  let done = log.offset
  let checked = done
  async function* save(): AsyncGenerator<ReadItem, void, undefined> {
    const checkpoint = await log.checkpoint(done)
    yield* items.splice(0)
    if (checkpoint !== undefined) yield { type: 'checkpoint', offset: checkpoint.offset, carry: checkpoint.carry }
    checked = done
  }
  yield* items.splice(0)
  let begun = false
  for await (const { lines, parsed, warning } of judged(log)) {
    if (warning !== undefined) yield { type: 'warning', message: warning }
    if (!begun) log.begin?.(parsed)
    begun = true
    for (const [n, line] of lines.entries()) {
      // An incomplete line's records must not enter the carry.
      if (!line.complete && done > checked) yield* save()
      const { values, error } = parsed[n] ?? lineValues(line)
      if (error !== undefined && line.complete) items.push({ type: 'bad_line', line: line.number, reason: error })
      for (const value of values) {
        const converted = log.convert(value, line)
        const wrong = converted instanceof Promise ? await converted : converted
        if (wrong !== undefined) items.push({ type: 'bad_line', line: line.number, reason: wrong })
      }
      for (const item of items) yield item
      items.length = 0
      if (!line.complete) continue
      state.lines = line.number
      log.trim?.()
      done = line.end
      if (done - checked >= CHECKPOINT_BYTES) yield* save()
    }
  }
  if (done > checked) yield* save()
  log.end?.()
  yield* items
}

async function* judged({ lines, offset, path, format, adapterGiven }: Log): AsyncGenerator<JudgedLines, void, undefined> {
  if (format !== undefined && offset === 0) yield* judgedLines(lines, { path, format, adapterGiven })
  else for await (const list of lines) yield { lines: list, parsed: [] }
}

export function collect<T>(from: Generator<ReadItem, T, undefined>, items: ReadItem[]): T {
  for (;;) {
    const next = from.next()
    if (next.done) return next.value
    items.push(next.value)
  }
}
