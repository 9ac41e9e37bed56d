import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Adapter, Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../src/ingest/adapter.ts'
import type { AgentRecord, LinkRecord, MessageRecord, SessionRecord, TitleRecord } from '../../src/ledgers/agent-record.ts'
import { openSourceDatabase } from '../../src/store/sqlite/source-database.ts'

export interface FileReader extends UnitReader {
  bytes: number
  readonly paths: Set<string>
}

/** `chunkSize` sets where the stream is cut: lines must not depend on it. */
export function fileReader(chunkSize = 64 * 1024): FileReader {
  const paths = new Set<string>()
  const reader: FileReader = {
    bytes: 0,
    paths,
    async *chunks(path, offset) {
      paths.add(path)
      for await (const chunk of createReadStream(path, { start: offset, highWaterMark: chunkSize })) {
        reader.bytes += (chunk as Buffer).length
        yield chunk as Buffer
      }
    },
    async database(path) {
      paths.add(path)
      return openSourceDatabase(path)
    },
    plain: (path, most) => reader.slice(path, 0, most),
    async slice(path, offset, length) {
      paths.add(path)
      const file = await open(path)
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
        reader.bytes += bytesRead
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
  return reader
}

export function unitOf(path: string): SourceUnit {
  const { size, mtimeMs } = statSync(path)
  return { path, size, mtimeMs }
}

export async function collectItems(
  adapter: Adapter,
  path: string,
  options: { since?: Checkpoint; reader?: UnitReader } = {},
): Promise<ReadItem[]> {
  const items: ReadItem[] = []
  for await (const item of adapter.read(unitOf(path), options.since, options.reader ?? fileReader())) items.push(item)
  return items
}

export function lastCheckpoint(items: readonly ReadItem[]): Checkpoint | undefined {
  return items.findLast((item) => item.type === 'checkpoint')
}

export function recordsOf(items: readonly ReadItem[]): AgentRecord[] {
  return items.flatMap((item) => (item.type === 'record' ? [item.record] : []))
}

export function messagesOf(items: readonly ReadItem[]): MessageRecord[] {
  return recordsOf(items).filter((record) => record.type === 'message')
}

export function sessionsOf(items: readonly ReadItem[]): SessionRecord[] {
  return recordsOf(items).filter((record) => record.type === 'session')
}

export function linksOf(items: readonly ReadItem[]): LinkRecord[] {
  return recordsOf(items).filter((record) => record.type === 'link')
}

export function titlesOf(items: readonly ReadItem[]): TitleRecord[] {
  return recordsOf(items).filter((record) => record.type === 'title')
}
