/** Never unpacks to disk or holds an entry in memory. */
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { MnemonicError } from '../../../core/error.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'

export interface ArchiveEntry {
  readonly name: string
  /** From the directory; more is an error. */
  readonly bytes: number
  chunks(): AsyncIterable<Buffer>
}

export interface Archive {
  /** Files only, in natural order. */
  readonly entries: readonly ArchiveEntry[]
  close(): void
}

/** Zip bomb limit: JSON rarely shrinks to a twentieth, deflate reaches a thousandth. */
const MOST_RATIO = 250
const SMALL = 64 << 20
const MOST_ENTRIES = 1_000_000

/** Throws VALIDATION_ERROR for an incomplete zip. */
export async function openArchive(unit: SourceUnit, reader: UnitReader): Promise<Archive> {
  const zip = await orDamaged(unit.path, () => fromRandomAccessReaderPromise(unitBytes(unit, reader), unit.size, { autoClose: false }))
  const entries: ArchiveEntry[] = []
  await orDamaged(unit.path, async () => {
    for await (const entry of zip.eachEntry()) {
      if (entries.length === MOST_ENTRIES) throw new Error(`more than ${MOST_ENTRIES} entries`)
      if (!entry.fileName.endsWith('/')) entries.push(archiveEntry(zip, entry, unit.path))
    }
  })
  const collator = new Intl.Collator('en', { numeric: true })
  entries.sort((a, b) => collator.compare(a.name, b.name))
  return { entries, close: () => zip.close() }
}

function archiveEntry(zip: ZipFile, entry: Entry, path: string): ArchiveEntry {
  const { fileName: name, uncompressedSize: bytes, compressedSize } = entry
  return {
    name,
    bytes,
    async *chunks() {
      if (bytes > SMALL && bytes > compressedSize * MOST_RATIO) {
        throw invalid(path, `${name} claims to unpack to ${bytes.toLocaleString('en-US')} bytes: no export does that`)
      }
      const stream = await orDamaged(path, () => zip.openReadStreamPromise(entry))
      try {
        let sum = 0
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          sum = crc32(chunk, sum)
          yield chunk
        }
        if (sum !== entry.crc32) throw new Error('its checksum does not fit')
      } catch (error) {
        throw error instanceof MnemonicError ? error : invalid(path, `${name}: ${messageOf(error)}`, error)
      } finally {
        stream.destroy()
      }
    },
  }
}

async function orDamaged<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MnemonicError ? error : invalid(path, `not a whole zip file: ${messageOf(error)}`, error)
  }
}

function invalid(path: string, reason: string, cause?: unknown): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `${path}: ${reason}`, {
    details: { path, reasons: [reason] },
    hint: 'The archive is damaged or not complete: ask for a new export, or copy it again.',
    cause,
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Directory reads are about ten bytes: a window avoids opening the file for each. */
const WINDOW = 64 * 1024

/** yauzl requires a subclass. */
function unitBytes({ path, size }: SourceUnit, reader: UnitReader): RandomAccessReader {
  let window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  async function bytesAt(position: number, length: number): Promise<Buffer> {
    const inside = position >= window.start && position + length <= window.start + window.bytes.length
    if (!inside)
      window = { start: position, bytes: await reader.slice(path, position, Math.min(Math.max(length, WINDOW), size - position)) }
    return window.bytes.subarray(position - window.start, position - window.start + length)
  }

  async function* range(start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
    let left = end - start
    for await (const chunk of reader.chunks(path, start)) {
      yield chunk.length > left ? chunk.subarray(0, left) : chunk
      left -= chunk.length
      if (left <= 0) return
    }
  }

  class UnitBytes extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(range(start, end), { objectMode: false })
    }

    override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
      bytesAt(position, length)
        .then((bytes) => {
          if (bytes.length < length) return callback(new Error('it ends too early'))
          bytes.copy(buffer, offset)
          return callback(null)
        })
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))))
    }
  }
  return new UnitBytes()
}
