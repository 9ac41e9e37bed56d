/**
 * Agent transcripts: one message per line, without ids, times or results. Cursor rewrites them on resume, so they are reread from the
 * start; names come from role and text. Skips what a database holds more fully.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { MessageRecord, SessionRecord } from '../../../ledgers/agent-record.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Line, readLineLists, readLines } from '../../lines.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import type { HeadFormat } from '../head.ts'
import { collect, type Log, readLog } from '../read-log.ts'
import { type Conversation, conversation } from './conversation.ts'
import { isUuid } from './names.ts'
import { folderOfSlug } from './project-slug.ts'
import { isTextTranscript, textLines } from './text-transcript.ts'

const HEAD_BYTES = 256

/** Role and message without a type; other harnesses have a type. */
export function isTranscriptLine(value: unknown): boolean {
  if (!isFields(value)) return false
  if (value.type === 'turn_ended') return true
  const spoken = value.role === 'user' || value.role === 'assistant'
  return spoken && value.type === undefined && value.content === undefined && fieldsOf(value.message)?.content !== undefined
}

const TRANSCRIPT: HeadFormat = {
  name: 'a transcript of Cursor',
  reason: 'none of the first lines is a message of a transcript',
  judged: { lines: 20, bytes: 1 << 20 },
  isRecord: () => true,
  isOurs: (lines) => lines.some(({ values }) => values.some((value) => isTranscriptLine(value) || fieldsOf(value)?.type === 'error')),
}

export interface TranscriptNames {
  readonly session: string
  readonly weak: boolean
  readonly subagent: boolean
  readonly parent: string | undefined
  /** Folder name below `projects`. */
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
  /** Created with the first line, which distinguishes files of one name. */
  convert: Conversation | undefined
  /** `true` if only an earlier run read the database. */
  readonly known: ReadonlySet<string> | true | undefined
  firstHash: string
  opened: boolean
  messages: number
  /** Texts missing in the database; `ahead` counts those after its last, which it may still get. */
  apart: number
  ahead: number
}

type TextsOf = (session: string) => ReadonlySet<string> | undefined

export function readTranscript(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
  textsOf: TextsOf,
): AsyncGenerator<ReadItem, void, undefined> {
  return readLog(() => openTranscript(unit, since, reader, textsOf))
}

async function openTranscript(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader, textsOf: TextsOf): Promise<Log> {
  const names = transcriptNames(unit.path)
  const before = fieldsOf(since?.carry)?.told === true ? (true as const) : undefined
  const known = textsOf(names.session) ?? before
  const reading: Reading = { names, unit, convert: undefined, known, firstHash: '', opened: false, messages: 0, apart: 0, ahead: 0 }
  const items: ReadItem[] = []
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const chunks = reader.chunks(unit.path, 0)
  return {
    path: unit.path,
    lines: isTextTranscript(head) ? textLines(readLines(chunks)) : readLineLists(chunks),
    offset: 0,
    format: TRANSCRIPT,
    state: { lines: 0 },
    items,
    convert: (value, line) => collect(valueItems(value, line, reading), items),
    checkpoint: (done) => ({ offset: done, carry: { told: reading.known !== undefined } }),
    end() {
      const warn = (message: string) => items.push({ type: 'warning', message })
      if (reading.messages === 0 && reading.known === undefined) warn(`no conversation in ${unit.path}`)
      if (reading.apart > 0) warn(`${unit.path}: ${reading.apart} texts differ from what Cursor's database holds of the same conversation`)
    },
  }
}

const OF_LINE: ReadonlySet<string> = new Set(['role', 'message', 'model'])

function* valueItems(fields: unknown, line: Line, reading: Reading): Generator<ReadItem, string | undefined, undefined> {
  if (!isFields(fields)) return 'not an object'
  if (fields.type === 'turn_ended') {
    const status = textOf(fields.status)
    if (status === undefined || status === 'success' || !reading.opened) return undefined
    yield { type: 'record', record: { ...bare(reading), context: { last_turn: status } } }
    return undefined
  }
  if (fields.type === 'error') {
    yield* spoken(reading, [errorMessage(fields, line, reading)])
    return undefined
  }
  const role = textOf(fields.role)
  if (role === undefined) {
    yield { type: 'unknown', name: textOf(fields.type) ?? 'a line without a role' }
    return undefined
  }
  const timestamp = reading.unit.mtimeMs
  const more = Object.fromEntries(Object.entries(fields).filter(([key]) => !OF_LINE.has(key)))
  const metadata = { ...more, time_from: 'file' }
  const content = fieldsOf(fields.message)?.content
  const heard = hearing(reading, line)({ role, content, timestamp: Math.trunc(timestamp), model: textOf(fields.model), metadata })
  if (heard === undefined) return 'a message without content'
  for (const name of heard.unknown) yield { type: 'unknown', name }
  yield* spoken(reading, heard.messages)
  return undefined
}

function* spoken(reading: Reading, messages: readonly MessageRecord[]): Generator<ReadItem, void, undefined> {
  for (const message of messages) {
    const kept = reading.known === undefined ? message : knownText(message, reading.known)
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
  if (reading.convert !== undefined) return reading.convert
  reading.firstHash = shortHash(16, weak ? line.text : session)
  reading.convert = conversation({ session, subagent, scope: scopeOf(reading) })
  return reading.convert
}

function scopeOf({ names, firstHash }: Reading): string {
  return names.weak ? `${names.session}~${firstHash.slice(0, 8)}` : names.session
}

/** Only the text: the database has the rest. */
function knownText(message: MessageRecord, known: ReadonlySet<string> | true): MessageRecord | undefined {
  const names = message.aliases ?? []
  if (names.length === 0 || (known !== true && !names.some((name) => known.has(name)))) return undefined
  const { toolCalls: _, toolResults: __, blocks: ___, ...text } = message
  return text
}

function bare({ names, firstHash }: Reading): SessionRecord {
  return given({ type: 'session' as const, session: names.session, firstHash, weakName: names.weak || undefined })
}

function opening(reading: Reading): SessionRecord {
  const { slug, subagent, parent } = reading.names
  if (reading.known !== undefined) return bare(reading)
  const project = slug === undefined ? undefined : folderOfSlug(slug)
  const context = slug === undefined ? undefined : { project_slug: slug }
  return given({
    ...bare(reading),
    project,
    workspacePath: project,
    isSubagent: subagent || undefined,
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
