import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite, type SqliteStore } from '../../src/store/sqlite/open.ts'
import { copyFreshDatabase } from './fresh-database.ts'

export const NOON = Date.UTC(2026, 1, 5, 12)

/** UTF-8 byte order; UTF-16 swaps the last two. */
export const IN_BYTE_ORDER = [
  '',
  '-',
  '10',
  '9',
  'A',
  'B',
  'Zebra',
  '_',
  'a',
  'a-b',
  'a/b',
  'aB',
  'ab',
  'z',
  'Ä',
  'ß',
  'é',
  'あ',
  '\uffee',
  '😀',
]

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function tempStore(clock: () => number = () => NOON): Promise<SqliteStore> {
  const path = join(tempFolder(), 'mnemonic.db')
  copyFreshDatabase(path)
  const store = await openSqlite({ path, clock })
  onTestFinished(() => store.close())
  return store
}
