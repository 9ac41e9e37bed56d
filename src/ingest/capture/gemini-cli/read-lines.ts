/** Reads a `.jsonl` session. It only grows, but a later line may replace an earlier one: read from where the last read stopped. */
import { MnemonicError } from '../../../core/error.ts'
import { shortHash } from '../../../core/hash.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Line, readLines } from '../../lines.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { lineValues } from '../parse-line.ts'
import { type Conversation, newConversation, replaceHistory, rewind, tellMessage, updateHeader } from './conversation.ts'
import { projectOf } from './project-of.ts'
import { isLooseHeader, isLooseRecord, isMessage, isRecord } from './record-shapes.ts'
import { sessionNames } from './session-names.ts'

const CHECKPOINT_BYTES = 64 * 1024
const HEAD_BYTES = 64 * 1024
/** How many bytes before the offset are compared to see that the file only grew. */
const TAIL_BYTES = 1024

/** Where a read stopped, and the conversation as it stood there. */
interface Memory {
  readonly offset: number
  readonly tail: string
  readonly lines: number
  readonly header: Fields
  readonly told: boolean
  readonly path: readonly string[]
  readonly last?: string
}

export async function* readSessionLines(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = sessionNames(unit.path)
  const memory = await grownFrom(unit, since?.carry as Memory | undefined, reader)
  const lacking = memory === undefined ? await judge(unit, reader) : undefined
  if (lacking !== undefined) yield { type: 'warning', message: lacking }
  const talk = newConversation(names, memory?.header ?? {})
  if (memory !== undefined) recall(talk, memory)
  let lines = memory?.lines ?? 0
  let done = memory?.offset ?? 0
  let checked = done
  const save = async (): Promise<ReadItem> => {
    checked = done
    const { header, told, path, last } = talk
    const tail = await tailHash(unit.path, done, reader)
    const carry: Memory = { offset: done, tail, lines, header, told, path: path.slice(), ...(last === undefined ? {} : { last }) }
    return { type: 'checkpoint', offset: done, carry }
  }
  for await (const line of readLines(reader.chunks(unit.path, done), { offset: done, line: lines })) {
    // What a line without its end gives is not done with: the carry must not know of it.
    if (!line.complete && done > checked) yield await save()
    for (const value of yield* valuesOf(line)) {
      if (!talk.told && isMessage(value)) talk.project = await projectOf(talk.header, names.projectFolder, reader)
      const wrong = yield* takeRecord(talk, value)
      if (wrong !== undefined) yield { type: 'bad_line', line: line.number, reason: wrong }
    }
    if (!line.complete) continue
    lines = line.number
    done = line.end
    if (done - checked >= CHECKPOINT_BYTES) yield await save()
  }
  if (done > checked) yield await save()
  if (!talk.told) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

function* valuesOf(line: Line): Generator<ReadItem, readonly unknown[], undefined> {
  const { values, error } = lineValues(line)
  if (error !== undefined && line.complete) yield { type: 'bad_line', line: line.number, reason: error }
  return values
}

/** What is wrong with the record, if something is. */
function* takeRecord(talk: Conversation, value: unknown): Generator<ReadItem, string | undefined, undefined> {
  if (!isFields(value)) return 'not a JSON object'
  const change = fieldsOf(value.$set)
  const back = textOf(value.$rewindTo)
  const name = textOf(value.type) ?? Object.keys(value)[0] ?? '{}'
  if (back !== undefined) yield* rewind(talk, back)
  else if (change !== undefined) {
    yield* updateHeader(talk, change)
    if (Array.isArray(change.messages)) yield* replaceHistory(talk, change.messages)
  } else if (isMessage(value)) return yield* tellMessage(talk, value)
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

/** What the last read remembered, where the file still begins with what was read then. */
async function grownFrom(unit: SourceUnit, memory: Memory | undefined, reader: UnitReader): Promise<Memory | undefined> {
  if (memory === undefined || typeof memory.offset !== 'number' || memory.offset > unit.size) return undefined
  return (await tailHash(unit.path, memory.offset, reader)) === memory.tail ? memory : undefined
}

async function tailHash(path: string, offset: number, reader: UnitReader): Promise<string> {
  const length = Math.min(TAIL_BYTES, offset)
  return shortHash(16, await reader.slice(path, offset - length, length))
}

/** Looks at the first lines, before anything is kept; says what a file lacks that is read all the same. Throws NOT_THIS_FORMAT or VALIDATION_ERROR. */
async function judge({ path, named }: SourceUnit, reader: UnitReader): Promise<string | undefined> {
  const head = await reader.slice(path, 0, HEAD_BYTES)
  const counts = { lines: 0, bad: 0, own: 0, loose: 0 }
  for await (const line of readLines(only(head))) {
    const cut = !line.complete && head.length === HEAD_BYTES
    if (cut && counts.lines > 0) break
    if (!line.valid && !cut) throw refused('VALIDATION_ERROR', path, 'not UTF-8')
    const { values, error } = lineValues(line)
    if (values.length === 0 && error === undefined) continue
    // A last line that is still being written says nothing yet.
    if (error !== undefined && !line.complete && /^\s*\{\s*"(?:sessionId|id|\$set|\$rewindTo)"/.test(line.text)) return undefined
    counts.lines += 1
    if (values.some(isRecord)) counts.own += 1
    else if (named && values.some(isLooseRecord)) counts.loose += 1
    else counts.bad += 1
  }
  if (counts.lines === 0) return undefined
  if (counts.own + counts.loose === 0) throw refused('NOT_THIS_FORMAT', path, 'none of the first lines is a record of Gemini CLI')
  if (counts.lines >= 3 && counts.bad * 2 > counts.lines)
    throw refused('VALIDATION_ERROR', path, `${counts.bad} of ${counts.lines} lines are no records`)
  return counts.loose > 0 ? `${path}: its header has no project, or its messages have no time` : undefined
}

async function* only(chunk: Buffer): AsyncGenerator<Buffer, void, undefined> {
  if (chunk.length > 0) yield chunk
}

function refused(code: 'NOT_THIS_FORMAT' | 'VALIDATION_ERROR', path: string, reason: string): MnemonicError {
  return new MnemonicError(code, `cannot read ${path} as a session of Gemini CLI: ${reason}`, { details: { path, reasons: [reason] } })
}
