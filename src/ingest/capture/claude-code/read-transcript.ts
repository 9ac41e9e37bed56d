/** Reads one transcript from a checkpoint on. Whether it is read at once or in pieces, the records are the same. */
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import type { Line } from '../../lines.ts'
import { isFields } from '../fields.ts'
import { type HeadFormat, judgedLines } from '../judged-lines.ts'
import { lineValues, type ParsedLine } from '../parse-line.ts'
import { convertRecord } from './convert-record.ts'
import { persistedOutputs, persistedPaths } from './persisted-output.ts'
import { fromCarry, newState, toCarry, trimState } from './read-state.ts'
import type { Reading } from './reading.ts'
import { isClaudeRecord } from './record-types.ts'
import { subagentMeta } from './subagent-meta.ts'
import { unitNames } from './unit-names.ts'

/** Bytes of lines between two checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024

const NONE: ReadonlyMap<string, string> = new Map()

const TRANSCRIPT: HeadFormat = {
  name: 'a Claude Code transcript',
  reason: 'none of the first lines is a Claude Code record',
  isRecord: (value) => isFields(value) && 'type' in value,
  isOurs: (lines) => lines.some(({ values }) => values.some(isClaudeRecord)),
}

export async function* readTranscript(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = unitNames(unit.path)
  const state = since === undefined ? newState() : fromCarry(since.carry)
  const reading: Reading = { names, state, meta: await subagentMeta(names, reader), outputs: NONE, items: [] }
  let done = since?.offset ?? 0
  let checked = done
  const from = { path: unit.path, format: TRANSCRIPT, offset: done, line: state.lines }
  for await (const { lines, parsed } of judgedLines(reader.chunks(unit.path, done), from)) {
    for (const [i, line] of lines.entries()) {
      // What a line without its end gives is not done with: the carry must not know of it.
      if (!line.complete && done > checked) yield checkpoint(reading, done)
      if (!line.complete) checked = done
      for (const value of valuesOf(line, parsed[i], reading)) {
        const paths = persistedPaths(value)
        reading.outputs = paths === undefined ? NONE : await persistedOutputs(paths, names, reader)
        takeValue(value, line, reading)
      }
      for (const item of reading.items) yield item
      reading.items = []
      if (!line.complete) continue
      state.lines = line.number
      trimState(state)
      done = line.end
      if (done - checked >= CHECKPOINT_BYTES) {
        yield checkpoint(reading, done)
        checked = done
      }
    }
  }
  if (done > checked) yield checkpoint(reading, done)
  if (!state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

function checkpoint({ state }: Reading, offset: number): ReadItem {
  return { type: 'checkpoint', offset, carry: toCarry(state) }
}

/** What a line holds; one that holds nothing readable is noted. */
function valuesOf(line: Line, parsed: ParsedLine | undefined, { items }: Reading): readonly unknown[] {
  const { values, error } = parsed ?? lineValues(line)
  if (error !== undefined && line.complete) items.push({ type: 'bad_line', line: line.number, reason: error })
  return values
}

function takeValue(value: unknown, line: Line, reading: Reading): void {
  const wrong = convertRecord(value, reading)
  if (wrong !== undefined) reading.items.push({ type: 'bad_line', line: line.number, reason: wrong })
}
