import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/helpers/store.ts'
import { withFileOf } from './read-only.ts'
import { scratchFolder } from './scratch-folder.ts'

const ended = () => spawnSync(process.execPath, ['-e', '0']).pid

it('removes copies of processes that have ended, and no others', () => {
  const scratch = tempFolder()
  const names = [`copy-${ended()}-abc`, `copy-${process.pid}-abc`, 'copy-of-mine', `other-${ended()}-abc`]
  for (const name of names) mkdirSync(join(scratch, name))
  const made = scratchFolder('copy-', scratch)
  expect(
    readdirSync(scratch)
      .map((name) => join(scratch, name))
      .toSorted(),
  ).toEqual([...names.slice(1).map((name) => join(scratch, name)), made].toSorted())
})

it('the copy of a killed sql query on a read-only home goes with the next query', () => {
  const left = join(tmpdir(), `mnemonic-sql-${ended()}-abc`)
  mkdirSync(left)
  writeFileSync(join(left, 'copy.db'), 'what was said')
  const db = new Database(':memory:')
  expect(withFileOf(db, (path) => existsSync(path))).toBe(true)
  db.close()
  expect(existsSync(left)).toBe(false)
})
