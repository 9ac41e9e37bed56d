/**
 * An empty database of this program's schema. It is made once a run, by the real migrations, and copied by the tests that need one: there are
 * thousands of them, and each would apply every migration. Those of migrations and of creating a file make their own.
 */
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { runFolder } from './run-folder.ts'

const VARIABLE = 'MNEMONIC_TEST_DATABASE'

/** Called before the first worker is started, which inherits the variable. */
export async function makeFreshDatabase(): Promise<void> {
  const folder = mkdtempSync(join(runFolder(), 'fresh-'))
  const path = join(folder, 'mnemonic.db')
  const store = await openSqlite({ path, clock: () => Date.UTC(2026, 0, 1) })
  await store.close()
  process.env[VARIABLE] = path
}

/** Puts it where no file is yet. */
export function copyFreshDatabase(path: string): void {
  const fresh = process.env[VARIABLE]
  if (fresh === undefined) throw new Error(`${VARIABLE} is not set: test/helpers/build.ts makes the database`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  copyFileSync(fresh, path)
}
