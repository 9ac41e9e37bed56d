/** Reads one session file from a checkpoint on. Whether it is read at once or in pieces, the records are the same. */
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import type { Line } from '../../lines.ts'
import { type Fields, isFields } from '../fields.ts'
import { type HeadFormat, judgedLines } from '../judged-lines.ts'
import { lineValues, type ParsedLine, parseLine } from '../parse-line.ts'
import { convertEntry, titleOf } from './convert-entry.ts'
import type { Place } from './dialect.ts'
import { sessionName } from './emit.ts'
import { fromCarry, newState, type ReadState, toCarry, trimState } from './read-state.ts'
import { push, type Reading } from './reading.ts'
import { isHeader, looseHeader } from './record-types.ts'
import { nameIn, takeHeader } from './take-header.ts'

/** Bytes of lines between two checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024
/** A title that is written over in place has a line of fixed length. */
const TITLE_BYTES = 8 * 1024

const SESSION_FILE: HeadFormat = {
  name: 'a session of pi',
  reason: 'none of the first lines is a session header',
  isRecord: (value) => isFields(value) && 'type' in value,
  isOurs: (lines) => lines.some(({ values }) => values.some(isHeader)),
  lacks(lines) {
    const header = headerIn(lines, '')
    const missing = ['id', 'timestamp', 'cwd', 'version'].filter((field) => header !== undefined && !header[field])
    return header === undefined ? undefined : `its header has no ${missing.join(', ')}`
  },
}

/** The header, and where there is none but one that lacks a field, that one. `name` is for one without an id. */
function headerIn(lines: readonly ParsedLine[], name: string): Fields | undefined {
  const values: readonly unknown[] = lines.flatMap(({ values }) => values)
  return values.find(isHeader) ?? values.map((value) => looseHeader(value, name)).find((header) => header !== undefined)
}

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
  const from = { path: unit.path, format: SESSION_FILE, offset: done, line: state.lines, named: unit.named }
  for await (const { lines, parsed, warning } of judgedLines(reader.chunks(unit.path, done), from)) {
    if (warning !== undefined) yield { type: 'warning', message: warning }
    if (state.session === '') takeHeader(headerIn(parsed, nameIn(unit.path)), state, place)
    for (const [n, line] of lines.entries()) {
      // What a line without its end gives is not done with: the carry must not know of it.
      if (!line.complete && done > checked) yield checkpoint(state, done)
      if (!line.complete) checked = done
      takeLine(line, parsed[n], reading)
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

function takeLine(line: Line, parsed: ParsedLine | undefined, reading: Reading): void {
  const { values, error } = parsed ?? lineValues(line)
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
