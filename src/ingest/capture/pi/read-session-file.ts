/** Reads one session file from a checkpoint on, or from where its own carry says that the last read stopped. */
import { sha256 } from '../../../core/hash.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { readLineLists } from '../../lines.ts'
import { type Fields, isFields } from '../fields.ts'
import type { HeadFormat } from '../head.ts'
import { type ParsedLine, parseLine } from '../parse-line.ts'
import { type Log, readLog } from '../read-log.ts'
import { convertEntry, titleOf } from './convert-entry.ts'
import type { Dialect } from './dialect.ts'
import { sessionName } from './emit.ts'
import { isHeader, looseHeader, nameIn, takeHeader } from './header.ts'
import { fromCarry, newState, push, type Reading, toCarry, trimState } from './read-state.ts'

/** A title that is written over in place has a line of fixed length. */
const TITLE_BYTES = 8 * 1024

const SESSION_FILE: HeadFormat = {
  name: 'a session of pi',
  reason: 'none of the first lines is a session header',
  isRecord: (value) => isFields(value) && 'type' in value,
  isOurs: (lines) => lines.some(({ values }) => values.some(isHeader)),
  isOursWithout: (lines) => lines.some(({ values }) => values.some(isMessageEntry)),
  lacks(lines) {
    if (lines.some(({ values }) => values.some(isHeader))) return undefined
    const header = headerIn(lines, '')
    const missing = ['id', 'timestamp', 'cwd', 'version'].filter((field) => header !== undefined && !header[field])
    return header === undefined ? undefined : `its header has no ${missing.join(', ')}`
  },
}

/** The header, and where there is none but one that lacks a field, that one. `name` is for one without an id. */
function headerIn(lines: readonly ParsedLine[], name: string): Fields | undefined {
  const values: readonly unknown[] = lines.flatMap(({ values, mended }) => mended ?? values)
  return values.find(isHeader) ?? values.map((value) => looseHeader(value, name)).find((header) => header !== undefined)
}

/** Where a line of the head cannot be read, that was the header: the file is called by its session. */
function lostHeader(head: readonly ParsedLine[], path: string): Fields | undefined {
  const isLost = head.some(({ error }) => error !== undefined) && head.some(({ values }) => values.some(isMessageEntry))
  return isLost ? looseHeader({ type: 'session' }, nameIn(path)) : undefined
}

/** A message in pi's tree: no other format writes its lines so. */
function isMessageEntry(value: unknown): boolean {
  return isFields(value) && value.type === 'message' && typeof value.id === 'string' && 'parentId' in value && isFields(value.message)
}

interface SessionFile {
  readonly unit: SourceUnit
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly dialect: Dialect
}

/** Whether it is read at once or in pieces, the records are the same. */
export function readSessionFile(file: SessionFile): AsyncGenerator<ReadItem, void, undefined> {
  return readLog(() => openFile(file))
}

async function openFile({ unit, since, reader, dialect }: SessionFile): Promise<Log> {
  const { path, adapterGiven } = unit
  const known = since === undefined ? undefined : fromCarry(since.carry)
  const state = known ?? newState()
  const items: ReadItem[] = []
  const reading: Reading = { dialect, state, items }
  if (known !== undefined) await pushChangedFacts(reading, unit, reader)
  const offset = known === undefined ? 0 : (since?.offset ?? 0)
  return {
    path,
    lines: readLineLists(reader.chunks(path, offset), { offset, line: state.lines }),
    offset,
    format: SESSION_FILE,
    adapterGiven,
    state,
    items,
    begin(head) {
      if (state.session === '') takeHeader(headerIn(head, nameIn(path)) ?? lostHeader(head, path), state, dialect)
    },
    convert: (value) => convertEntry(value, reading),
    trim: () => trimState(state),
    checkpoint: (done) => ({ offset: done, carry: toCarry(state) }),
    end() {
      if (!state.hasMessages) items.push({ type: 'warning', message: `no conversation in ${path}` })
    },
  }
}

/** What may have changed without a new line: what the dialect says of the session, and a title that is written over. */
async function pushChangedFacts(reading: Reading, unit: SourceUnit, reader: UnitReader): Promise<void> {
  const { state, dialect } = reading
  if (!state.opened) return
  if (Object.keys(dialect.facts).length > 0) push(reading, { ...sessionName(state), ...dialect.facts })
  if (dialect.title !== undefined) push(reading, { type: 'title', session: state.session, title: dialect.title, rank: 3 })
  if (state.hasTitleSlot) {
    const first = (await reader.slice(unit.path, 0, TITLE_BYTES)).toString('utf8').split('\n', 1)[0] ?? ''
    const slot = parseLine(first).values[0]
    const title = isFields(slot) && slot.type === 'title' ? titleOf(slot) : undefined
    if (title !== undefined) push(reading, { type: 'title', session: state.session, title, rank: 4 })
  }
}

/** How many bytes before the offset are compared to see that a file only grew. */
const TAIL = 4096

/** A session file among units that are rewritten in place: it only grows, so the carry itself holds how far it was read. */
export async function* readResumedFile(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, dialect }: { reader: UnitReader; dialect: Dialect },
): AsyncGenerator<ReadItem, void, undefined> {
  const from = await resumePoint(unit, since?.carry, reader)
  for await (const item of readSessionFile({ unit, since: from, reader, dialect })) {
    if (item.type !== 'checkpoint') yield item
    else yield { ...item, carry: { at: item.offset, tail: await tailOf(unit.path, item.offset, reader), file: item.carry } }
  }
}

async function resumePoint(unit: SourceUnit, carry: unknown, reader: UnitReader): Promise<Checkpoint | undefined> {
  if (!isFields(carry) || typeof carry.at !== 'number' || carry.at > unit.size) return undefined
  return (await tailOf(unit.path, carry.at, reader)) === carry.tail ? { offset: carry.at, carry: carry.file } : undefined
}

async function tailOf(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL, offset)
  return sha256(await reader.slice(path, offset - length, length))
}
