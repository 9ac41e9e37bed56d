/**
 * A migration that rewrites tables declares them in its head: `-- rewrites: table table …`. Until commit, the old rows, the new rows and
 * the new rows in the WAL coexist.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

export type FreeSpace = (path: string) => number

/** New rows in the file and in the WAL, plus a tenth for pages written twice. */
const COPIES = 2.2
/** Upper bound for any other migration. */
const SMALL = 16 << 20

export const freeSpace: FreeSpace = (path) => {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}

export function requireMigrationRoom(db: Database.Database, missing: readonly Migration[], free: FreeSpace): void {
  const needed = migrationBytes(db, missing)
  const there = free(db.name)
  if (there >= needed) return
  throw new MnemonicError(
    'STORAGE_ERROR',
    `no room to bring ${db.name} to this version: ${megabytes(needed)} needed for a while, ${megabytes(there)} free`,
    {
      details: { path: db.name, needed, free: there, migrations: missing.map(({ name }) => name) },
      hint: `Free ${megabytes(needed - there)} on that disk and run the command again. Nothing was changed; the version before can still be used.`,
    },
  )
}

export function migrationBytes(db: Database.Database, missing: readonly Migration[]): number {
  const tables = new Set(missing.flatMap(({ sql }) => rewrittenBy(sql)))
  if (tables.size === 0) return SMALL
  const bytes = db
    .prepare(
      `select coalesce(sum(pgsize), 0) from dbstat where aggregate = true
        and name in (select name from sqlite_master where tbl_name in (select value from json_each(?)))`,
    )
    .pluck()
    .get(JSON.stringify([...tables])) as number
  return Math.ceil(bytes * COPIES) + SMALL
}

function rewrittenBy(sql: string): string[] {
  return /^-- rewrites: (.*)$/m.exec(sql)?.[1]?.trim().split(/\s+/) ?? []
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en-US')} MB`
}
