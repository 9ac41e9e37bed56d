/** Mirrors the tombstones in the workspace, so that they survive losing the database. Contains only hashes and their keys. */
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TOMBSTONE_FILE } from '../config/paths.ts'
import { syncFolder, writeAtomic } from '../core/atomic-file.ts'
import type { NewTombstone, TombstoneSet } from './write-tombstones.ts'

const FIELDS = ['id', 'agent_id', 'kind', 'record_hash', 'text_hash', 'session_token', 'removed_at', 'reason', 'removed_paths'] as const

/** Skips torn and invalid lines. */
export function readTombstoneFile(workspace: string): TombstoneSet | undefined {
  const path = join(workspace, TOMBSTONE_FILE)
  if (!existsSync(path)) return undefined
  const keys: string[] = []
  const rows: NewTombstone[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const value = parsed(line)
    if (typeof value.key === 'string') keys.push(value.key)
    else if (isTombstone(value)) rows.push(stored(value))
  }
  return { keys, rows }
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function isTombstone(value: Record<string, unknown>): boolean {
  const texts = ['id', 'agent_id', 'kind', 'reason'].every((field) => typeof value[field] === 'string')
  const paths = typeof value.removed_paths === 'string' || Array.isArray(value.removed_paths)
  return texts && paths && typeof value.removed_at === 'number'
}

/** Older files store the paths as a JSON string. */
function stored(value: Record<string, unknown>): NewTombstone {
  const row = Object.fromEntries(FIELDS.map((field) => [field, value[field] ?? null]))
  return { ...row, removed_paths: Array.isArray(row.removed_paths) ? JSON.stringify(row.removed_paths) : row.removed_paths } as NewTombstone
}

function linesOf(keys: readonly string[], rows: readonly NewTombstone[]): string[] {
  const lines = rows.map((row) => ({ ...row, removed_paths: JSON.parse(row.removed_paths as string) as string[] }))
  return [...keys.map((key) => ({ v: 1, key })), ...lines].map((line) => `${JSON.stringify(line)}\n`)
}

/** Flushed to disk (fsync) on return. */
export function appendTombstoneFile(workspace: string, { keys, rows }: TombstoneSet): void {
  const path = join(workspace, TOMBSTONE_FILE)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const known = readTombstoneFile(workspace)
  const fresh = keys.filter((key) => !known?.keys.includes(key))
  const lines = linesOf(fresh, rows)
  if (lines.length === 0) return
  const file = openSync(path, 'a', 0o600)
  try {
    // Leading newline: a killed process may have left a torn last line.
    appendFileSync(file, `${known === undefined ? '' : '\n'}${lines.join('')}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  syncFolder(dirname(path))
}

export async function writeTombstoneFile(workspace: string, { keys, rows }: TombstoneSet): Promise<void> {
  await writeAtomic(join(workspace, TOMBSTONE_FILE), linesOf(keys, rows))
}

export function tombstoneFileMark(workspace: string): string {
  const info = statSync(join(workspace, TOMBSTONE_FILE), { throwIfNoEntry: false })
  return info === undefined ? '' : `${info.size}.${info.mtimeMs}`
}
