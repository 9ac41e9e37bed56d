/**
 * What a migration needs on the disk, and whether it is there. A migration that writes tables anew says so in its head, one line
 * `-- rewrites: table table …`: until the end the old rows are there, the new ones, and the log of changes with the new ones once more.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Bytes that may still be written into the folder of a file. */
export type FreeSpace = (path: string) => number

/** New rows in the file, new rows in the log, and a tenth for pages that are written twice. */
const COPIES = 2.2
/** What any migration may take: indexes of small tables, the log of a few thousand changes. */
const SMALL = 16 << 20

export const freeSpace: FreeSpace = (path) => {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}

/** Throws STORAGE_ERROR where there is too little room; nothing was changed then. */
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
