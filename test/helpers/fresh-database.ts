/** Runs the migrations once per test run; thousands of tests copy the result. Tests of migrations and file creation make their own. */
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { runFolder } from './run-folder.ts'

const VARIABLE = 'MNEMONIC_TEST_DATABASE'

/** Before the first worker starts, which inherits the variable. */
export async function makeFreshDatabase(): Promise<void> {
  const folder = mkdtempSync(join(runFolder(), 'fresh-'))
  const path = join(folder, 'mnemonic.db')
  const store = await openSqlite({ path, clock: () => Date.UTC(2026, 0, 1) })
  await store.close()
  process.env[VARIABLE] = path
}

export function copyFreshDatabase(path: string): void {
  const fresh = process.env[VARIABLE]
  if (fresh === undefined) throw new Error(`${VARIABLE} is not set: test/helpers/build.ts makes the database`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  copyFileSync(fresh, path)
}
