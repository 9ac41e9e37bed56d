/** Reads one session file from a checkpoint on. Whether it is read at once or in pieces, the records are the same. */
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Line, readLineLists } from '../../lines.ts'
import { isFields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { convertEntry, titleOf } from './convert-entry.ts'
import type { Place } from './dialect.ts'
import { sessionName } from './emit.ts'
import { HEAD_BYTES, judgeHead } from './judge-head.ts'
import { fromCarry, newState, type ReadState, toCarry, trimState } from './read-state.ts'
import { push, type Reading } from './reading.ts'
import { takeHeader } from './take-header.ts'

/** Bytes of lines between two checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024
/** A title that is written over in place has a line of fixed length. */
const TITLE_BYTES = 8 * 1024

interface SessionFile {
  readonly unit: SourceUnit
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly place: Place
}

export async function* readSessionFile({ unit, since, reader, place }: SessionFile): AsyncGenerator<ReadItem, void, undefined> {
  const known = since === undefined ? undefined : fromCarry(since.carry)
  const state = known ?? newState()
  const reading: Reading = { place, state, items: [] }
  if (known !== undefined) yield* retold(reading, unit, reader)
  let done = known === undefined ? 0 : (since?.offset ?? 0)
  let checked = done
  for await (const lines of judgedLines(unit, { offset: done, line: state.lines }, { reader, place, state })) {
    for (const line of lines) {
      // What a line without its end gives is not done with: the carry must not know of it.
      if (!line.complete && done > checked) yield checkpoint(state, done)
      if (!line.complete) checked = done
      takeLine(line, reading)
      yield* reading.items
      reading.items = []
      if (!line.complete) continue
      state.lines = line.number
      trimState(state)
      done = line.end
      if (done - checked >= CHECKPOINT_BYTES) {
        yield checkpoint(state, done)
        checked = done
      }
    }
  }
  if (done > checked) yield checkpoint(state, done)
  if (!state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

function checkpoint(state: ReadState, offset: number): ReadItem {
  return { type: 'checkpoint', offset, carry: toCarry(state) }
}

function takeLine(line: Line, reading: Reading): void {
  const { values, error } = line.valid ? parseLine(line.text) : { values: [], error: 'not UTF-8' }
  const bad = (reason: string) => reading.items.push({ type: 'bad_line', line: line.number, reason })
  if (error !== undefined && line.complete) bad(error)
  for (const value of values) {
    const wrong = convertEntry(value, reading)
    if (wrong !== undefined) bad(wrong)
  }
}

/** What may have changed without a new line: what the place says of the session, and a title that is written over. */
async function* retold(reading: Reading, unit: SourceUnit, reader: UnitReader): AsyncGenerator<ReadItem, void, undefined> {
  const { state, place } = reading
  if (!state.opened) return
  if (Object.keys(place.facts).length > 0) push(reading, { ...sessionName(state), ...place.facts })
  if (place.title !== undefined) push(reading, { type: 'title', session: state.session, title: place.title, rank: 3 })
  if (state.hasTitleSlot) {
    const first = (await reader.slice(unit.path, 0, TITLE_BYTES)).toString('utf8').split('\n', 1)[0] ?? ''
    const slot = parseLine(first).values[0]
    const title = isFields(slot) && slot.type === 'title' ? titleOf(slot) : undefined
    if (title !== undefined) push(reading, { type: 'title', session: state.session, title, rank: 4 })
  }
  yield* reading.items
  reading.items = []
}

interface Judging {
  readonly reader: UnitReader
  readonly place: Place
  readonly state: ReadState
}

/** The lines; at the beginning of a file only once its head was found to be a session's, and its header taken to heart. */
async function* judgedLines(
  unit: SourceUnit,
  from: { offset: number; line: number },
  { reader, place, state }: Judging,
): AsyncGenerator<readonly Line[], void, undefined> {
  const head: Line[] = []
  let judged = from.offset > 0
  for await (const lines of readLineLists(reader.chunks(unit.path, from.offset), from)) {
    if (judged) {
      yield lines
      continue
    }
    head.push(...lines)
    const last = head.findIndex((line) => line.end >= HEAD_BYTES)
    if (last === -1) continue
    judged = true
    takeHeader(judgeHead(head.slice(0, last + 1), unit.path), state, place)
    yield head.splice(0)
  }
  if (judged) return
  takeHeader(judgeHead(head, unit.path), state, place)
  yield head
}
