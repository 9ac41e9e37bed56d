/** The file is rewritten with every message. Two passes: header, then messages. */
import { isUtf8 } from 'node:buffer'
import { MnemonicError } from '../../../core/error.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, isFields } from '../fields.ts'
import { type ParsedLine, parseLine, TOO_LONG } from '../parse-line.ts'
import { headItems, messageItems, newConversation } from './conversation.ts'
import { type DocumentItem, documentItems } from './document-items.ts'
import { isHeader } from './record-shapes.ts'
import { projectOf, sessionNames } from './session-paths.ts'

const MESSAGES = 'messages'
const CHECKPOINT_BYTES = 64 * 1024

interface Memory {
  readonly last?: string
}

export async function* readDocument(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  if ((await reader.slice(unit.path, 0, 1)).length === 0) {
    yield { type: 'warning', message: `no conversation in ${unit.path}` }
    return
  }
  const names = sessionNames(unit.path)
  const { header, bad, lacking } = await headerOf(unit, reader)
  for (const reason of bad) yield { type: 'bad_line', line: 0, reason }
  if (lacking) yield { type: 'warning', message: `${unit.path}: its header has no sessionId or no projectHash` }
  const talk = newConversation(names, header, true)
  talk.project = await projectOf(talk.header, names.projectFolder, reader)
  const before = (since?.carry ?? {}) as Memory
  let bytes = 0
  let checked = 0
  let number = 0
  for await (const item of documentItems(reader.chunks(unit.path, 0), MESSAGES, unit.path)) {
    if (item.key !== MESSAGES) continue
    number += 1
    bytes += item.bytes?.length ?? 0
    const { values, error } = itemValues(item)
    const [message] = values
    const wrong = isFields(message) ? yield* messageItems(talk, message) : (error ?? 'not a JSON object')
    if (wrong !== undefined) yield { type: 'bad_line', line: number, reason: wrong }
    if (bytes - checked < CHECKPOINT_BYTES) continue
    checked = bytes
    yield { type: 'checkpoint', offset: bytes, carry: before }
  }
  if (before.last !== undefined && !talk.onPath.has(before.last)) yield* headItems(talk)
  yield { type: 'checkpoint', offset: bytes, carry: talk.last === undefined ? before : { last: talk.last } }
  if (talk.path.length === 0) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

interface Head {
  readonly header: Fields
  /** Unreadable members with reasons; the session is read without them. */
  readonly bad: readonly string[]
  readonly lacking: boolean
}

async function headerOf({ path, adapterGiven }: SourceUnit, reader: UnitReader): Promise<Head> {
  const header: Record<string, unknown> = {}
  const bad: string[] = []
  let listed = false
  for await (const item of documentItems(reader.chunks(path, 0), MESSAGES, path)) {
    const { key } = item
    if (key === MESSAGES) listed = true
    else {
      const { values, error } = itemValues(item)
      if (error === undefined) header[key] = values[0]
      else bad.push(`${key.slice(0, 40)} is ${error}`)
    }
  }
  if (isHeader(header) && (listed || typeof header.startTime === 'string')) return { header, bad, lacking: false }
  if (listed && (adapterGiven || bad.length > 0)) return { header, bad, lacking: true }
  throw new MnemonicError('NOT_THIS_FORMAT', `not a session of Gemini CLI: ${path}`, {
    details: { path, reasons: ['no sessionId and projectHash'] },
  })
}

function itemValues({ bytes }: DocumentItem): ParsedLine {
  if (bytes === undefined) return TOO_LONG
  return isUtf8(bytes) ? parseLine(bytes.toString('utf8')) : { values: [], error: 'not UTF-8' }
}
