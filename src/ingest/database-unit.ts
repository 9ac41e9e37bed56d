/** The fingerprint of a SQLite file as a unit: with its log, which holds what is new. Stats only, opens nothing. */
import { statSync } from 'node:fs'
import type { SourceUnit } from './adapter.ts'

/** Undefined where the file is gone. */
export function databaseUnit(path: string): SourceUnit | undefined {
  const main = statSync(path, { throwIfNoEntry: false })
  if (main === undefined) return undefined
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  return { path, size: main.size + (log?.size ?? 0), mtimeMs: Math.max(main.mtimeMs, log?.mtimeMs ?? 0) }
}
