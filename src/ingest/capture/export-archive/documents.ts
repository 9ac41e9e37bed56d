/** Documents are judged by their first bytes. */
import { MnemonicError } from '../../../core/error.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { HEAD_BYTES } from '../head.ts'
import { type Archive, openArchive } from './archive.ts'
import { CONVERSATIONS, type ExportFormat } from './export-format.ts'
import { isZip, jsonHead } from './export-head.ts'
import { damaged } from './json-elements.ts'

export interface Document {
  readonly name: string
  readonly chunks?: AsyncIterable<Buffer>
  readonly other?: string
}

/** Throws NOT_THIS_FORMAT if nothing is of this service, VALIDATION_ERROR if damaged. */
export async function* documentsOf(unit: SourceUnit, reader: UnitReader, format: ExportFormat): AsyncGenerator<Document, void, undefined> {
  const { path } = unit
  if (isZip(await reader.slice(path, 0, 4))) {
    const archive = await openArchive(unit, reader)
    try {
      yield* archived(archive, path, format)
    } finally {
      archive.close()
    }
    return
  }
  const { head, chunks, close } = await peek(reader.chunks(path, 0))
  try {
    const judged = judge(head, format)
    if (judged === 'foreign') throw await refusal(unit, reader, { head, format })
    if (judged === 'conversations') await checkEnd(unit, reader)
    if (judged !== 'empty') yield { name: path, ...(judged === 'conversations' ? { chunks } : judged) }
  } finally {
    await close()
  }
}

/** Entries inspected to describe an archive without conversations. */
const LOOK = 20

async function* archived({ entries }: Archive, path: string, format: ExportFormat): AsyncGenerator<Document, void, undefined> {
  const mine = entries.filter(({ name }) => CONVERSATIONS.test(name) && !name.startsWith('__MACOSX/'))
  let ours = false
  for (const entry of mine) {
    const name = `${path}:${entry.name}`
    const { head, chunks, close } = await peek(entry.chunks())
    try {
      const judged = judge(head, format)
      if (judged === 'foreign' && !ours) throw foreign(path, format)
      ours = true
      if (judged === 'foreign') yield { name, other: 'something unknown' }
      else if (judged !== 'empty') yield { name, ...(judged === 'conversations' ? { chunks } : judged) }
    } finally {
      await close()
    }
  }
  if (mine.length > 0) return
  for (const entry of entries.filter(({ name }) => name.endsWith('.json')).slice(0, LOOK)) {
    const { head, close } = await peek(entry.chunks())
    await close()
    const judged = judge(head, format)
    if (typeof judged !== 'object') continue
    yield { name: `${path}:${entry.name}`, ...judged }
    ours = true
  }
  if (!ours) throw foreign(path, format)
}

type Judged = 'conversations' | 'empty' | 'foreign' | { readonly other: string }

export function judge(head: Buffer, format: ExportFormat): Judged {
  const { shape, objects } = jsonHead(head)
  if (objects.some(format.isConversation)) return 'conversations'
  const other = objects.map(format.otherPart).find((part) => part !== undefined)
  if (other !== undefined) return { other }
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const empty = text.trim() === '' || (shape === 'list' && /^\s*\[\s*\]\s*$/.test(text))
  return empty ? 'empty' : 'foreign'
}

/** A file truncated before its first key is of unknown origin. */
async function refusal(
  unit: SourceUnit,
  reader: UnitReader,
  { head, format }: { head: Buffer; format: ExportFormat },
): Promise<MnemonicError> {
  const { shape, objects } = jsonHead(head)
  const nameless = shape !== undefined && objects.every((keys) => keys.size === 0)
  return nameless && !(await isClosed(unit, reader)) ? damaged(unit.path, unit.size, 'it ends too early') : foreign(unit.path, format)
}

function foreign(path: string, { service }: ExportFormat): MnemonicError {
  return new MnemonicError('NOT_THIS_FORMAT', `not an export of ${service}: ${path}`, {
    details: { path, reasons: [`nothing in it is a conversation of ${service}`] },
  })
}

/** Rejects a truncated document before storing anything. */
async function checkEnd(unit: SourceUnit, reader: UnitReader): Promise<void> {
  if (!(await isClosed(unit, reader))) throw damaged(unit.path, unit.size, 'it ends too early')
}

async function isClosed({ path, size }: SourceUnit, reader: UnitReader): Promise<boolean> {
  const tail = await reader.slice(path, Math.max(0, size - 4096), 4096)
  const last = tail.toString('latin1').trimEnd().at(-1)
  return last === ']' || last === '}'
}

interface Peeked {
  readonly head: Buffer
  readonly chunks: AsyncIterable<Buffer>
  /** Must be called even if the chunks were not read. */
  close(): Promise<void>
}

async function peek(source: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* all(): AsyncGenerator<Buffer, void, undefined> {
    yield* first.splice(0)
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  const head = Buffer.concat(first)
  const close = async () => void (await iterator.return?.())
  return { head, chunks: all(), close }
}
