/**
 * The tombstones as a file in the workspace, beside those in the database: losing one of the two keeps the promise. Hashes only, and the
 * keys that they were made with; what was forgotten cannot be read out of it.
 */
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder, writeAtomic } from '../core/atomic-file.ts'
import type { NewTombstone } from './write-tombstones.ts'

export const TOMBSTONE_FILE = 'memory/tombstones.jsonl'

export interface TombstoneFile {
  readonly keys: readonly string[]
  readonly rows: readonly NewTombstone[]
}

const FIELDS = ['id', 'agent_id', 'kind', 'record_hash', 'text_hash', 'session_token', 'removed_at', 'reason', 'removed_paths'] as const

/** Undefined where there is none. A line that is torn or is none of ours is left out. */
export function readTombstoneFile(workspace: string): TombstoneFile | undefined {
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
    return {} // the last line of a process that died while it wrote
  }
}

function isTombstone(value: Record<string, unknown>): boolean {
  const texts = ['id', 'agent_id', 'kind', 'reason'].every((field) => typeof value[field] === 'string')
  const paths = typeof value.removed_paths === 'string' || Array.isArray(value.removed_paths)
  return texts && paths && typeof value.removed_at === 'number'
}

/** As the database has it. Older files have the list of paths as a string of JSON. */
function stored(value: Record<string, unknown>): NewTombstone {
  const row = Object.fromEntries(FIELDS.map((field) => [field, value[field] ?? null]))
  return { ...row, removed_paths: Array.isArray(row.removed_paths) ? JSON.stringify(row.removed_paths) : row.removed_paths } as NewTombstone
}

/** A line a key or tombstone, each plain JSON. */
function linesOf(keys: readonly string[], rows: readonly NewTombstone[]): string[] {
  const told = rows.map((row) => ({ ...row, removed_paths: JSON.parse(row.removed_paths as string) as string[] }))
  return [...keys.map((key) => ({ v: 1, key })), ...told].map((line) => `${JSON.stringify(line)}\n`)
}

/** Adds to the file, or begins it; what it says is on the disk when this returns. */
export function appendTombstoneFile(workspace: string, { keys, rows }: TombstoneFile): void {
  const path = join(workspace, TOMBSTONE_FILE)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const known = readTombstoneFile(workspace)
  const fresh = keys.filter((key) => !known?.keys.includes(key))
  const lines = linesOf(fresh, rows)
  if (lines.length === 0) return
  const file = openSync(path, 'a', 0o600)
  try {
    // On a line of its own, also where a killed process tore the last one.
    appendFileSync(file, `${known === undefined ? '' : '\n'}${lines.join('')}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  syncFolder(dirname(path))
}

/** Writes the file anew from what the database knows. */
export async function writeTombstoneFile(workspace: string, { keys, rows }: TombstoneFile): Promise<void> {
  await writeAtomic(join(workspace, TOMBSTONE_FILE), linesOf(keys, rows))
}

/** Tells one state of the file from another; empty where there is none. */
export function tombstoneFileMark(workspace: string): string {
  const info = statSync(join(workspace, TOMBSTONE_FILE), { throwIfNoEntry: false })
  return info === undefined ? '' : `${info.size}.${info.mtimeMs}`
}
