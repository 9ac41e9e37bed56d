import { isUtf8 } from 'node:buffer'
import { MnemonicError } from '../../../core/error.ts'
import { shortHash } from '../../../core/hash.ts'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { isFields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { type Document, documentsOf } from './documents.ts'
import type { ExportFormat } from './export-format.ts'
import { type JsonElement, jsonElements } from './json-elements.ts'

const CHECKPOINT_BYTES = 64 * 1024

export interface ReadExportOptions {
  readonly format: ExportFormat
  readonly limit?: number
}

interface Reading {
  readonly unit: SourceUnit
  readonly format: ExportFormat
  readonly limit: number
  /** Conversation signatures: of the last read, of all so far, of this read. */
  readonly before: ReadonlySet<string>
  readonly seen: string[]
  readonly met: string[]
  count: number
  bad: number
  done: number
}

export async function* readExport(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
  { format, limit = LARGEST_RECORD }: ReadExportOptions,
): AsyncGenerator<ReadItem, void, undefined> {
  const known = signaturesOf(since?.carry, format)
  const met: string[] = []
  const reading: Reading = { unit, format, limit, before: new Set(known), seen: known, met, count: 0, bad: 0, done: 0 }
  let said = false
  for await (const document of documentsOf(unit, reader, format)) {
    if (document.chunks !== undefined) yield* readDocument(document, reading)
    else yield { type: 'warning', message: `${document.name} holds ${document.other}, no conversations` }
    said ||= document.chunks === undefined
  }
  if (reading.count > 0 && reading.bad === reading.count) {
    throw new MnemonicError('VALIDATION_ERROR', `${unit.path}: none of its ${reading.count} conversations can be read`, {
      details: { path: unit.path, conversations: reading.count, reasons: ['no conversation in it can be read'] },
    })
  }
  yield { type: 'checkpoint', offset: reading.done, carry: { version: format.version, seen: met } }
  if (met.length === 0 && !said) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

async function* readDocument(document: Document, reading: Reading): AsyncGenerator<ReadItem, void, undefined> {
  const { limit, before, seen, met, format } = reading
  const { name, chunks = [] } = document
  let checked = 0
  let end = 0
  for await (const element of jsonElements(chunks as AsyncIterable<Buffer>, { name, limit })) {
    reading.count += 1
    const signature = element.bytes === undefined ? '' : shortHash(16, element.bytes)
    if (!before.has(signature)) {
      const items = itemsOf(element, reading)
      if (typeof items === 'string') {
        reading.bad += 1
        yield {
          type: 'bad_line',
          line: reading.count,
          reason: `${items} (conversation ${reading.count}, byte ${element.start} of ${name})`,
        }
        continue
      }
      yield* items
      seen.push(signature)
    }
    met.push(signature)
    end = element.end
    if (end - checked < CHECKPOINT_BYTES) continue
    yield { type: 'checkpoint', offset: reading.done + end, carry: { version: format.version, seen: [...seen] } }
    checked = end
  }
  reading.done += end
}

/** A string is an error. */
function itemsOf({ bytes }: JsonElement, { format, limit }: Reading): readonly ReadItem[] | string {
  if (bytes === undefined) return `longer than ${limit.toLocaleString('en-US')} bytes`
  if (!isUtf8(bytes)) return 'not UTF-8'
  const { values, error } = parseLine(bytes.toString('utf8'))
  const [value] = values
  if (error !== undefined || values.length !== 1) return error ?? 'not one JSON value'
  return (isFields(value) ? format.convert(value) : undefined) ?? `not a conversation of ${format.service}`
}

function signaturesOf(carry: unknown, { version }: ExportFormat): string[] {
  const { version: read, seen } = (isFields(carry) ? carry : {}) as { version?: unknown; seen?: unknown }
  return read === version && Array.isArray(seen) ? (seen as string[]).slice() : []
}
