/** The fingerprint includes the WAL, which holds the newest data. Only stats. */
import { statSync } from 'node:fs'
import type { SourceUnit } from './adapter.ts'

const SQLITE = Buffer.from('SQLite format 3\0')

export function isSqlite(head: Buffer): boolean {
  return head.subarray(0, SQLITE.length).equals(SQLITE)
}

export function databaseUnit(path: string): SourceUnit | undefined {
  const main = statSync(path, { throwIfNoEntry: false })
  if (main === undefined) return undefined
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  return { path, size: main.size + (log?.size ?? 0), mtimeMs: Math.max(main.mtimeMs, log?.mtimeMs ?? 0) }
}
