/**
 * Agent transcripts: one message a line, without names, times or results. Cursor rewrites them when a session is resumed, so they are
 * read from their beginning; names come from who said what, and stay the same. What a database tells better is not told again.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import { shortHash } from '../../../core/hash.ts'
import type { MessageRecord, SessionRecord } from '../../../ledgers/agent-record.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Line, readLines } from '../../lines.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { lineValues, parseLine } from '../parse-line.ts'
import { type Conversation, conversation } from './conversation.ts'
import { isUuid } from './names.ts'
import { present } from './present.ts'
import { folderOfSlug } from './project-slug.ts'
import { isTextTranscript, textLines } from './text-transcript.ts'

const CHECKPOINT_BYTES = 64 * 1024
/** Enough to tell lines of JSON from plain text. */
const HEAD_BYTES = 256
/** How many lines are looked at before the file is called another format. */
const JUDGED = 20
const JUDGED_BYTES = 1 << 20

/** A line with a role and a message, and no type: other harnesses have one. */
export function isTranscriptLine(value: unknown): boolean {
  if (!isFields(value)) return false
  if (value.type === 'turn_ended') return true
  const spoken = value.role === 'user' || value.role === 'assistant'
  return spoken && value.type === undefined && value.content === undefined && fieldsOf(value.message)?.content !== undefined
}

export interface TranscriptNames {
  readonly session: string
  readonly weak: boolean
  readonly subagent: boolean
  readonly parent: string | undefined
  /** The project's folder name below `projects`. */
  readonly slug: string | undefined
}

export function transcriptNames(path: string): TranscriptNames {
  const session = basename(path).replace(/\.(?:jsonl|txt)$/i, '')
  const folders = dirname(path).split(/[\\/]/)
  const at = folders.lastIndexOf('agent-transcripts')
  const subagent = folders.at(-1) === 'subagents'
  const above = folders.at(-2)
  const known = above !== undefined && (isUuid(above) || existsSync(join(dirname(dirname(path)), `${above}.jsonl`)))
  return {
    session,
    weak: !isUuid(session) && at === -1,
    subagent,
    parent: subagent && known ? above : undefined,
    slug: at > 0 ? folders[at - 1] : undefined,
  }
}

interface Reading {
  readonly names: TranscriptNames
  readonly unit: SourceUnit
  /** Made with the first line, which tells two files of one name apart. */
  hear: Conversation | undefined
  /** Names of the texts that a database tells; `true` where only an earlier run knows them. */
  readonly told: ReadonlySet<string> | true | undefined
  firstHash: string
  opened: boolean
  messages: number
  /** Texts that the database does not tell; and those after the last that it does, which it may tell soon. */
  apart: number
  ahead: number
}

export async function* readTranscript(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
  told: (session: string) => ReadonlySet<string> | undefined,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = transcriptNames(unit.path)
  const before = fieldsOf(since?.carry)?.told === true ? (true as const) : undefined
  const known = told(names.session) ?? before
  const reading: Reading = { names, unit, hear: undefined, told: known, firstHash: '', opened: false, messages: 0, apart: 0, ahead: 0 }
  const carry = { told: reading.told !== undefined }
  let checked = 0
  let done = 0
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const lines = readLines(reader.chunks(unit.path, 0))
  for await (const line of judged(isTextTranscript(head) ? textLines(lines) : lines, unit.path)) {
    yield* lineItems(line, reading)
    if (!line.complete) continue
    done = line.end
    if (done - checked < CHECKPOINT_BYTES) continue
    yield { type: 'checkpoint', offset: done, carry }
    checked = done
  }
  if (done > checked) yield { type: 'checkpoint', offset: done, carry }
  if (reading.messages === 0 && reading.told === undefined) yield { type: 'warning', message: `no conversation in ${unit.path}` }
  if (reading.apart === 0) return
  yield {
    type: 'warning',
    message: `${unit.path}: ${reading.apart} texts differ from what Cursor's database tells of the same conversation`,
  }
}

/** Nothing is told of a file before its first lines were found to be a transcript's. */
async function* judged(lines: AsyncIterable<Line>, path: string): AsyncGenerator<Line, void, undefined> {
  const head: Line[] = []
  let ours = false
  for await (const line of lines) {
    if (ours) {
      yield line
      continue
    }
    head.push(line)
    if (head.length < JUDGED && line.end < JUDGED_BYTES) continue
    judge(head, path)
    ours = true
    yield* head
  }
  if (ours) return
  judge(head, path)
  yield* head
}

function judge(head: readonly Line[], path: string): void {
  const bad = head.find((line) => !line.valid)
  if (bad !== undefined) {
    const details = { path, line: bad.number, reasons: ['not UTF-8'] }
    throw new MnemonicError('VALIDATION_ERROR', `not UTF-8: ${path}`, { details })
  }
  const full = head.filter(
    (line) => (line.tooLong || line.text.trim() !== '') && (line.complete || parseLine(line.text).error === undefined),
  )
  const values = full.map((line) => lineValues(line).values)
  const wrong = values.filter((list) => list.length === 0).length
  if (full.length === 0) return
  if (!values.some((list) => list.some((value) => isTranscriptLine(value) || fieldsOf(value)?.type === 'error'))) {
    const details = { path, lines: full.length, reasons: ['none of the first lines is a message of a transcript'] }
    throw new MnemonicError('NOT_THIS_FORMAT', `not a transcript of Cursor: ${path}`, { details })
  }
  if (full.length >= 3 && wrong * 2 > full.length) {
    const details = { path, lines: full.length, bad: wrong, reasons: [`${wrong} of ${full.length} lines are no records`] }
    throw new MnemonicError('VALIDATION_ERROR', `more than half of the first lines cannot be read: ${path}`, { details })
  }
}

function* lineItems(line: Line, reading: Reading): Generator<ReadItem, void, undefined> {
  const { values, error } = lineValues(line)
  if (error !== undefined && line.complete) yield { type: 'bad_line', line: line.number, reason: error }
  for (const value of values) {
    const fields = fieldsOf(value)
    if (fields === undefined) yield { type: 'bad_line', line: line.number, reason: 'not an object' }
    else yield* valueItems(fields, line, reading)
  }
}

const OF_LINE: ReadonlySet<string> = new Set(['role', 'message', 'model'])

function* valueItems(fields: Fields, line: Line, reading: Reading): Generator<ReadItem, void, undefined> {
  if (fields.type === 'turn_ended') {
    const status = textOf(fields.status)
    if (status === undefined || status === 'success' || !reading.opened) return
    yield { type: 'record', record: { ...bare(reading), context: { last_turn: status } } }
    return
  }
  if (fields.type === 'error') return yield* spoken(reading, [errorMessage(fields, line, reading)])
  const role = textOf(fields.role)
  if (role === undefined) {
    yield { type: 'unknown', name: textOf(fields.type) ?? 'a line without a role' }
    return
  }
  const timestamp = reading.unit.mtimeMs
  const more = Object.fromEntries(Object.entries(fields).filter(([key]) => !OF_LINE.has(key)))
  const metadata = { ...more, time_from: 'file' }
  const content = fieldsOf(fields.message)?.content
  const heard = hearing(reading, line)({ role, content, timestamp: Math.trunc(timestamp), model: textOf(fields.model), metadata })
  if (heard === undefined) yield { type: 'bad_line', line: line.number, reason: 'a message without content' }
  else {
    for (const name of heard.unknown) yield { type: 'unknown', name }
    yield* spoken(reading, heard.messages)
  }
}

function* spoken(reading: Reading, messages: readonly MessageRecord[]): Generator<ReadItem, void, undefined> {
  for (const message of messages) {
    const kept = reading.told === undefined ? message : toldBefore(message, reading.told)
    if (kept === undefined) {
      if (message.aliases !== undefined) reading.ahead += 1
      continue
    }
    reading.apart += reading.ahead
    reading.ahead = 0
    if (!reading.opened) yield { type: 'record', record: opening(reading) }
    reading.opened = true
    reading.messages += 1
    yield { type: 'record', record: kept }
  }
}

function hearing(reading: Reading, line: Line): Conversation {
  const { session, weak, subagent } = reading.names
  if (reading.hear !== undefined) return reading.hear
  reading.firstHash = shortHash(16, weak ? line.text : session)
  reading.hear = conversation({ session, subagent, scope: scopeOf(reading) })
  return reading.hear
}

function scopeOf({ names, firstHash }: Reading): string {
  return names.weak ? `${names.session}~${firstHash.slice(0, 8)}` : names.session
}

/** The text alone, where a database tells it too: it is known again by its name. The rest is told better there. */
function toldBefore(message: MessageRecord, told: ReadonlySet<string> | true): MessageRecord | undefined {
  const names = message.aliases ?? []
  if (names.length === 0 || (told !== true && !names.some((name) => told.has(name)))) return undefined
  const { toolCalls: _, toolResults: __, blocks: ___, ...text } = message
  return text
}

function bare({ names, firstHash }: Reading): SessionRecord {
  return present({ type: 'session' as const, session: names.session, firstHash, weakName: names.weak ? true : undefined })
}

function opening(reading: Reading): SessionRecord {
  const { slug, subagent, parent } = reading.names
  if (reading.told !== undefined) return bare(reading)
  const project = slug === undefined ? undefined : folderOfSlug(slug)
  const context = slug === undefined ? undefined : { project_slug: slug }
  return present({
    ...bare(reading),
    project,
    workspacePath: project,
    isSubagent: subagent ? true : undefined,
    parentSession: parent,
    context,
  })
}

function errorMessage(fields: Fields, line: Line, reading: Reading): MessageRecord {
  const { names, unit } = reading
  hearing(reading, line)
  const text = textOf(fields.error) ?? JSON.stringify(fields.error ?? null)
  const hash = shortHash(16, 'error', '\n', text)
  return {
    type: 'message',
    session: names.session,
    id: `${scopeOf(reading)}/error-${hash}-${line.number}`,
    hash,
    role: 'system',
    kind: 'notice',
    text,
    timestamp: Math.trunc(unit.mtimeMs),
    trust: 'agent',
  }
}
