import { basename, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { nativeSession } from './native-session.ts'
import { beginSession, endSession, messageItems } from './session-items.ts'
import { jsonNames, treeOf } from './storage-tree.ts'

const CHECKPOINT_BYTES = 64 * 1024

interface MessageFile {
  readonly id: string
  readonly created: number
  readonly path: string
}

export async function* readTree(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const tree = treeOf(unit.path)
  const own = await readJson(unit.path, reader)
  const header = headerOf(own, tree?.orphan === true, unit)
  if (isFields(own) && tree?.orphan !== true && !isSessionFile(own))
    yield { type: 'warning', message: `${unit.path}: it has no project, no version or no time` }
  const session = nativeSession(header)
  const before = (since?.carry ?? {}) as { messages?: number; reverted?: boolean }
  const output = beginSession(session)
  const state = { bytes: 0, checked: 0, row: 0 }
  let count = 0
  const messages = tree === undefined ? { files: [], bad: [] } : await messagesOf(tree.storage, [session.id, tree.stem], reader)
  for (const reason of messages.bad) yield { type: 'bad_line', line: ++state.row, reason }
  const flat = tree === undefined ? new Map<string, string[]>() : await flatParts(tree.storage, messages.files, reader)
  for (const { id, path } of messages.files) {
    const data = await readJson(path, reader)
    if (!isFields(data)) continue
    const files = flat.get(id) ?? []
    const folder = tree === undefined ? '' : join(tree.storage, 'part', id)
    const parts: Fields[] = []
    for (const file of [...jsonNames(folder).map((name) => join(folder, name)), ...files]) {
      const part = await readJson(file, reader)
      if (isFields(part)) parts.push(part)
      else yield { type: 'bad_line', line: state.row + 1, reason: `${basename(file)} is no JSON object` }
      state.bytes += JSON.stringify(part ?? null).length
    }
    count += 1
    state.row += 1
    yield* messageItems(output, { id, data, parts }, state.row)
    if (state.bytes - state.checked < CHECKPOINT_BYTES) continue
    state.checked = state.bytes
    yield { type: 'checkpoint', offset: state.bytes, carry: before }
  }
  yield* endSession(output, before.reverted === true || (before.messages ?? 0) > count)
  yield { type: 'checkpoint', offset: state.bytes, carry: { messages: count, reverted: session.revert !== undefined } }
  if (count === 0) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

/** Derives a header from the first message if the session file is missing. */
function headerOf(own: unknown, orphan: boolean, { path, adapterGiven }: SourceUnit): Fields {
  if (isFields(own) && orphan && isMessageFile(own)) return { id: own.sessionID, directory: fieldsOf(own.path)?.cwd }
  if (isFields(own) && !orphan && (isSessionFile(own) || (adapterGiven && textOf(own.id) !== undefined))) return own
  throw new MnemonicError('NOT_THIS_FORMAT', `not a session of OpenCode: ${path}`, {
    details: { path, reasons: [isFields(own) ? 'neither a session nor a message of OpenCode' : 'no JSON object'] },
  })
}

export function isSessionFile(own: Fields): boolean {
  const created = fieldsOf(own.time)?.created
  return [own.id, own.projectID ?? own.directory, own.version].every((field) => textOf(field) !== undefined) && typeof created === 'number'
}

export function isMessageFile(own: Fields): boolean {
  const named = textOf(own.id) !== undefined && textOf(own.sessionID) !== undefined
  return named && (own.role === 'user' || own.role === 'assistant') && fieldsOf(own.time) !== undefined
}

async function messagesOf(storage: string, names: readonly string[], reader: UnitReader): Promise<{ files: MessageFile[]; bad: string[] }> {
  const files: MessageFile[] = []
  const bad: string[] = []
  for (const name of new Set(names)) {
    const folder = join(storage, 'message', name)
    for (const file of jsonNames(folder)) {
      const path = join(folder, file)
      const data = await readJson(path, reader)
      const id = isFields(data) ? textOf(data.id) : undefined
      if (!isFields(data) || id === undefined) bad.push(`${file} is no message`)
      else files.push({ id, created: parseTimestamp(fieldsOf(data.time)?.created) ?? 0, path })
    }
  }
  files.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  return { files, bad }
}

/** In the oldest layout all parts share one folder, so only the parts name their message. */
async function flatParts(storage: string, messages: readonly MessageFile[], reader: UnitReader): Promise<Map<string, string[]>> {
  const folder = join(storage, 'part')
  const wanted = new Set(messages.map(({ id }) => id))
  const found = new Map<string, string[]>()
  for (const name of jsonNames(folder)) {
    const path = join(folder, name)
    const part = await readJson(path, reader)
    const message = isFields(part) ? textOf(part.messageID) : undefined
    if (message === undefined || !wanted.has(message)) continue
    found.set(message, [...(found.get(message) ?? []), path])
  }
  return found
}

async function readJson(path: string, reader: UnitReader): Promise<unknown> {
  const chunks: Buffer[] = []
  let held = 0
  for await (const chunk of reader.chunks(path, 0)) {
    held += chunk.length
    if (held > LARGEST_RECORD) return undefined
    chunks.push(chunk)
  }
  return parseLine(Buffer.concat(chunks).toString('utf8')).values[0]
}
