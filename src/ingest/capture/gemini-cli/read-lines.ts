/** The file is append-only, but a later line may replace an earlier one. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { readLineLists } from '../../lines.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import type { HeadFormat } from '../head.ts'
import type { ParsedLine } from '../parse-line.ts'
import { collect, type Log, readLog } from '../read-log.ts'
import { type Conversation, messageItems, newConversation, replaceHistory, rewind, updateHeader } from './conversation.ts'
import { isLooseHeader, isLooseRecord, isMessage, isRecord } from './record-shapes.ts'
import { projectOf, sessionNames } from './session-paths.ts'

/** Bytes before the offset that must be unchanged to resume. */
const TAIL_BYTES = 1024

interface Memory {
  readonly offset: number
  readonly tail: string
  readonly lines: number
  readonly header: Fields
  readonly told: boolean
  readonly path: readonly string[]
  readonly last?: string
}

const SESSION: HeadFormat = {
  name: 'a session of Gemini CLI',
  reason: 'none of the first lines is a record of Gemini CLI',
  isRecord: (value) => isRecord(value) || isLooseRecord(value),
  // Partial records match many formats, so they must not outnumber complete ones.
  isOurs: (lines) => lines.length > 0 && lines.filter(isOwn).length * 2 >= lines.length,
  lacks: (lines) => (lines.every(isOwn) ? undefined : 'its header has no project, or its messages have no time'),
}

function isOwn({ values }: ParsedLine): boolean {
  return values.some(isRecord)
}

export function readSessionLines(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  return readLog(() => openSession(unit, since, reader))
}

async function openSession(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): Promise<Log> {
  const { path } = unit
  const names = sessionNames(path)
  const memory = await grownFrom(unit, since?.carry as Memory | undefined, reader)
  const talk = newConversation(names, memory?.header ?? {})
  if (memory !== undefined) recall(talk, memory)
  const offset = memory?.offset ?? 0
  const state = { lines: memory?.lines ?? 0 }
  const items: ReadItem[] = []
  return {
    path,
    lines: readLineLists(reader.chunks(path, offset), { offset, line: state.lines }),
    offset,
    format: SESSION,
    adapterGiven: unit.adapterGiven,
    state,
    items,
    begin(head) {
      const lost = head.flatMap(({ mended = [] }) => mended).find(isLooseHeader)
      if (lost !== undefined && !head.some(({ values }) => values.some(isLooseHeader))) collect(updateHeader(talk, lost), items)
    },
    async convert(value) {
      if (!talk.told && isMessage(value)) talk.project = await projectOf(talk.header, names.projectFolder, reader)
      return collect(takeRecord(talk, value), items)
    },
    async checkpoint(done) {
      const { header, told, last } = talk
      const tail = await tailHash(path, done, reader)
      const carry: Memory = { offset: done, tail, lines: state.lines, header, told, path: talk.path.slice(), ...given({ last }) }
      return { offset: done, carry }
    },
    end() {
      if (!talk.told) items.push({ type: 'warning', message: `no conversation in ${path}` })
    },
  }
}

function* takeRecord(talk: Conversation, value: unknown): Generator<ReadItem, string | undefined, undefined> {
  if (!isFields(value)) return 'not a JSON object'
  const change = fieldsOf(value.$set)
  const back = textOf(value.$rewindTo)
  const name = textOf(value.type) ?? Object.keys(value)[0] ?? '{}'
  if (back !== undefined) yield* rewind(talk, back)
  else if (change !== undefined) {
    yield* updateHeader(talk, change)
    if (Array.isArray(change.messages)) yield* replaceHistory(talk, change.messages)
  } else if (isMessage(value)) return yield* messageItems(talk, value)
  else if (isLooseHeader(value)) yield* updateHeader(talk, value)
  else yield { type: 'unknown', name }
  return undefined
}

function recall(talk: Conversation, { told, path, last }: Memory): void {
  talk.told = told
  talk.last = last
  for (const id of path) {
    talk.path.push(id)
    talk.onPath.add(id)
  }
}

/** Undefined unless the file still starts with what was read. */
async function grownFrom(unit: SourceUnit, memory: Memory | undefined, reader: UnitReader): Promise<Memory | undefined> {
  if (memory === undefined || typeof memory.offset !== 'number' || memory.offset > unit.size) return undefined
  return (await tailHash(unit.path, memory.offset, reader)) === memory.tail ? memory : undefined
}

async function tailHash(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL_BYTES, offset)
  return shortHash(16, await reader.slice(path, offset - length, length))
}
