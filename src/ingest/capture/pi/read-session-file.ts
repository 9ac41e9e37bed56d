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

/** Fixed-length title line, rewritten in place. */
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

function headerIn(lines: readonly ParsedLine[], name: string): Fields | undefined {
  const values: readonly unknown[] = lines.flatMap(({ values, mended }) => mended ?? values)
  return values.find(isHeader) ?? values.map((value) => looseHeader(value, name)).find((header) => header !== undefined)
}

/** If a head line is unreadable, it was the header: use the file name. */
function lostHeader(head: readonly ParsedLine[], path: string): Fields | undefined {
  const isLost = head.some(({ error }) => error !== undefined) && head.some(({ values }) => values.some(isMessageEntry))
  return isLost ? looseHeader({ type: 'session' }, nameIn(path)) : undefined
}

/** Must not match any other format. */
function isMessageEntry(value: unknown): boolean {
  return isFields(value) && value.type === 'message' && typeof value.id === 'string' && 'parentId' in value && isFields(value.message)
}

interface SessionFile {
  readonly unit: SourceUnit
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly dialect: Dialect
}

/** Reading at once or in pieces must give the same records. */
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

/** Facts that change without a new line. */
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

/** Bytes before the offset that must be unchanged to resume. */
const TAIL = 4096

/** For append-only files of a `rewritten` adapter: the carry holds the offset. */
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
