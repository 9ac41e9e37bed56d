/** A fresh store in a fresh folder, closed and removed when the test ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqlite, type SqliteStore } from '../../src/store/sqlite/open.ts'

export const NOON = Date.UTC(2026, 1, 5, 12)

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function tempStore(clock: () => number = () => NOON): Promise<SqliteStore> {
  const store = await openSqlite({ path: join(tempFolder(), 'mnemonic.db'), clock })
  onTestFinished(() => store.close())
  return store
}
