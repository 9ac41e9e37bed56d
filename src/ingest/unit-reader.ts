/** Source bytes are read only here: read-only, counted, one chunk in memory. */
import { closeSync, constants, fstatSync, open, openSync, readSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { MnemonicError } from '../core/error.ts'
import type { SourceDatabase } from '../store/source-database.ts'
import type { UnitReader } from './adapter.ts'

const CHUNK = 1 << 20
/** Appends are usually small. */
const FIRST_CHUNK = 32 << 10

export interface CountingReader extends UnitReader {
  bytesRead(): number
  count(bytes: number): void
  /** Rows skipped since the last call. */
  passedOver(): string[]
}

export function unitReader(openDatabase: (path: string) => SourceDatabase | Promise<SourceDatabase>): CountingReader {
  let count = 0
  let opened: SourceDatabase[] = []
  // Synchronous: a chunk read is faster than a thread pool round trip.
  function read(file: number, position: number, length: number, buffer = Buffer.allocUnsafe(length)): Buffer {
    const bytesRead = readSync(file, buffer, 0, length, position)
    count += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  return {
    bytesRead: () => count,
    count(bytes) {
      count += bytes
    },
    passedOver() {
      const names = opened.flatMap(({ passedOver }) => passedOver)
      opened = []
      return names
    },
    async *chunks(path, offset, { reused = false } = {}) {
      if (isPipe(path)) {
        for await (const chunk of pipeChunks(path)) {
          count += chunk.length
          yield chunk
        }
        return
      }
      const file = openSource(path)
      try {
        let buffer: Buffer<ArrayBuffer> | undefined
        for (let position = offset, length = FIRST_CHUNK; ; length = CHUNK) {
          // Most files fit into the first chunk.
          if (reused && length === CHUNK) buffer ??= Buffer.allocUnsafe(CHUNK)
          const chunk = read(file, position, length, buffer)
          if (chunk.length === 0) return
          yield chunk
          position += chunk.length
        }
      } finally {
        closeSync(file)
      }
    },
    async slice(path, offset, length) {
      const file = openSource(path)
      try {
        return read(file, offset, length)
      } finally {
        closeSync(file)
      }
    },
    async plain(path, most) {
      const file = openPlain(path)
      if (file === undefined) return undefined
      try {
        const info = fstatSync(file)
        return info.isFile() ? read(file, 0, Math.min(most, info.size + 1)) : undefined
      } finally {
        closeSync(file)
      }
    },
    async database(path) {
      // SQLite reads the pages; count the file once.
      const database = await openDatabase(path)
      opened.push(database)
      count += statSync(path).size
      return database
    },
  }
}

/** Asynchronous, so that signals arrive while waiting for a pipe. */
async function* pipeChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  if (path === '/dev/stdin') {
    yield* process.stdin as AsyncIterable<Buffer>
    return
  }
  const fd = await openLater(path, constants.O_RDONLY)
  yield* new Socket({ fd, readable: true, writable: false }) as AsyncIterable<Buffer>
}

/** Opening a pipe blocks until a writer opens it. */
const openLater = promisify(open)

function isPipe(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false })
  return info !== undefined && (info.isFIFO() || info.isSocket())
}

const NO_SUCH_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ELOOP', 'ENOTDIR'])

function openPlain(path: string): number | undefined {
  try {
    return openSource(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (error instanceof MnemonicError && NO_SUCH_FILE.has(error.details.code as string | undefined)) return undefined
    throw error
  }
}

function openSource(path: string, flags = constants.O_RDONLY): number {
  try {
    return openSync(path, flags)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: ${code ?? String(error)}`, {
      details: { path, code },
      hint:
        code === 'EACCES' || code === 'EPERM' ? 'Give this user the right to read it, then sync again.' : 'Sync again; it may have moved.',
      cause: error,
    })
  }
}
