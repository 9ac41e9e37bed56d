/**
 * The one loop over a log of lines, for every adapter that reads one: from a checkpoint on, judged before anything of it is given out,
 * bad lines counted, a checkpoint every 64 KB, and never one behind a last line that is still being written.
 */
import type { Checkpoint, ReadItem } from '../adapter.ts'
import type { Line } from '../lines.ts'
import { type HeadFormat, type JudgedLines, judgedLines } from './head.ts'
import { lineValues, type ParsedLine } from './parse-line.ts'

/** Bytes of lines between two checkpoints. */
export const CHECKPOINT_BYTES = 64 * 1024

/** What an adapter says of one file, and how it reads a line of it. */
export interface Log {
  readonly path: string
  /** From `offset` on. */
  readonly lines: AsyncIterable<readonly Line[]>
  readonly offset: number
  /** How the file is known by its first lines. Absent where the adapter has judged it; a file that is read on was judged before. */
  readonly format?: HeadFormat
  readonly adapterGiven?: boolean | undefined
  /** `lines` is set to the number of the last whole line. */
  readonly state: { lines: number }
  /** Where `convert` and `checkpoint` put what they give. */
  readonly items: ReadItem[]
  /** Before the first line is converted; `head` is what the judged lines hold. */
  begin?(head: readonly ParsedLine[]): void
  /** Adds what one value of a line gives to `items`. Returns what is wrong with it, if something is: it counts as a bad line. */
  convert(value: unknown, line: Line): Wrong | Promise<Wrong>
  /** After each whole line: removes the oldest of what is remembered. */
  trim?(): void
  /** What to go on from when everything before `done` is done with. The carry is a copy: the state goes on changing. */
  checkpoint(done: number): Checkpoint | undefined | Promise<Checkpoint | undefined>
  /** After the last line and its checkpoint: adds to `items` what only the whole file says. */
  end?(): void
}

type Wrong = string | undefined

/**
 * `open` is called with the first item that is asked for; what it puts to `items` comes first. An adapter returns this generator itself:
 * one around it would cost each item as many waits again.
 */
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
      // What a line without its end gives is not done with: the carry must not know of it.
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

/** Puts all that a generator gives to `items`, and returns what it returns. */
export function collect<T>(from: Generator<ReadItem, T, undefined>, items: ReadItem[]): T {
  for (;;) {
    const next = from.next()
    if (next.done) return next.value
    items.push(next.value)
  }
}
