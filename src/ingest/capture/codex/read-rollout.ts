/** Reads one rollout from a checkpoint on. Whether it is read at once or in pieces, plain or packed, the records are the same. */
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import type { Line } from '../../lines.ts'
import { judgedLines } from '../judged-lines.ts'
import { lineValues, type ParsedLine } from '../parse-line.ts'
import { convertLine } from './convert-line.ts'
import { openRollout, type Source } from './open-rollout.ts'
import { readDocument } from './read-document.ts'
import { fromCarry, toCarry, trimState } from './read-state.ts'
import type { Reading } from './reading.ts'
import { ROLLOUT } from './rollout-format.ts'
import { rolloutNames } from './rollout-names.ts'
import { tellUsage, unheaded } from './session-meta.ts'
import { flushAll } from './turn-end.ts'

/** Bytes of lines between two checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024

export async function* readRollout(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = rolloutNames(unit.path)
  if (names.document) {
    yield* readDocument(unit, names, reader)
    return
  }
  const carried = names.packed || since === undefined ? undefined : fromCarry(since.carry)
  const reading: Reading = { state: carried ?? unheaded(names), items: [], at: undefined }
  const from = carried === undefined ? 0 : (since?.offset ?? 0)
  yield* readLinesOf(await openRollout(unit, from, reader), reading, { from, named: unit.named })
  if (!reading.state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

async function* readLinesOf(
  source: Source,
  reading: Reading,
  { from, named }: { from: number; named: boolean | undefined },
): AsyncGenerator<ReadItem, void, undefined> {
  const { state } = reading
  let done = from
  let checked = done
  const format = { path: source.path, format: ROLLOUT, named }
  for await (const { lines, parsed, warning } of judgedLines(source.chunks, { ...format, offset: done, line: state.lines })) {
    if (warning !== undefined) yield { type: 'warning', message: warning }
    for (const [n, line] of lines.entries()) {
      // What a line without its end gives is not done with: the carry must not know of it.
      if (!line.complete) {
        if (done > checked) yield* checkpoint(source, reading, done)
        checked = done
      }
      takeLine(line, parsed[n], reading)
      yield* given(reading)
      if (!line.complete) continue
      state.lines = line.number
      done = line.end
      if (done - checked < CHECKPOINT_BYTES) continue
      yield* checkpoint(source, reading, done)
      checked = done
    }
  }
  if (done > checked) yield* checkpoint(source, reading, done)
  // What waits for a second record is put out as it looks now; the carry still waits, and says it again, by the same names.
  flushAll(reading)
  yield* given(reading)
}

function* given(reading: Reading): Generator<ReadItem, void, undefined> {
  const { items } = reading
  if (items.length === 0) return
  reading.items = []
  yield* items
}

function* checkpoint(source: Source, reading: Reading, done: number): Generator<ReadItem, void, undefined> {
  const offset = source.offsetAt(done)
  tellUsage(reading)
  yield* given(reading)
  trimState(reading.state)
  if (offset !== undefined) yield { type: 'checkpoint', offset, carry: source.resumes ? toCarry(reading.state) : null }
}

function takeLine(line: Line, parsed: ParsedLine | undefined, reading: Reading): void {
  const { values, error } = parsed ?? lineValues(line)
  if (error !== undefined && line.complete) reading.items.push({ type: 'bad_line', line: line.number, reason: error })
  for (const value of values) {
    const wrong = convertLine(value, reading)
    if (wrong !== undefined) reading.items.push({ type: 'bad_line', line: line.number, reason: wrong })
  }
}
