/** Reads one transcript from a checkpoint on. Whether it is read at once or in pieces, the records are the same. */
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Line, readLines } from '../../lines.ts'
import { parseLine } from '../parse-line.ts'
import { convertRecord } from './convert-record.ts'
import { HEAD_BYTES, judgeHead } from './judge-head.ts'
import { persistedOutputs } from './persisted-output.ts'
import { fromCarry, newState, toCarry, trimState } from './read-state.ts'
import type { Reading } from './reading.ts'
import { subagentMeta } from './subagent-meta.ts'
import { unitNames } from './unit-names.ts'

/** Bytes of lines between two checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024

export async function* readTranscript(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = unitNames(unit.path)
  const state = since === undefined ? newState() : fromCarry(since.carry)
  const reading: Reading = { names, state, meta: await subagentMeta(names, reader), outputs: new Map(), items: [] }
  let done = since?.offset ?? 0
  let checked = done
  for await (const line of judgedLines(unit, { offset: done, line: state.lines }, reader)) {
    // What a line without its end gives is not done with: the carry must not know of it.
    if (!line.complete && done > checked) yield checkpoint(reading, done)
    if (!line.complete) checked = done
    await takeLine(line, reading, reader)
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
  if (done > checked) yield checkpoint(reading, done)
  if (!state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

function checkpoint({ state }: Reading, offset: number): ReadItem {
  return { type: 'checkpoint', offset, carry: toCarry(state) }
}

async function takeLine(line: Line, reading: Reading, reader: UnitReader): Promise<void> {
  if (!line.valid) {
    if (line.complete) reading.items.push({ type: 'bad_line', line: line.number, reason: 'not UTF-8' })
    return
  }
  const { values, error } = parseLine(line.text)
  if (error !== undefined && line.complete) reading.items.push({ type: 'bad_line', line: line.number, reason: error })
  for (const value of values) {
    reading.outputs = await persistedOutputs(value, reading.names, reader)
    const wrong = convertRecord(value, reading)
    if (wrong !== undefined) reading.items.push({ type: 'bad_line', line: line.number, reason: wrong })
  }
}

/** The lines; at the beginning of a file only once its head was found to be a transcript's. */
async function* judgedLines(
  unit: SourceUnit,
  from: { offset: number; line: number },
  reader: UnitReader,
): AsyncGenerator<Line, void, undefined> {
  const lines = readLines(reader.chunks(unit.path, from.offset), from)
  if (from.offset > 0) {
    yield* lines
    return
  }
  const head: Line[] = []
  let judged = false
  for await (const line of lines) {
    if (judged) {
      yield line
      continue
    }
    head.push(line)
    if (line.end < HEAD_BYTES) continue
    judgeHead(head, unit.path)
    judged = true
    yield* head.splice(0)
  }
  if (judged) return
  judgeHead(head, unit.path)
  yield* head
}
