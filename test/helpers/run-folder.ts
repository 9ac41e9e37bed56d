/** The temporary folder of the whole run, with its workers and children. A killed run cannot remove its own: the next one does. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../../src/core/is-running.ts'

const NAME = 'mnemonic-tests-'
const VARIABLE = 'MNEMONIC_TEST_RUN'

/** The configuration may be read several times per process. */
export function makeRunFolder(): void {
  const name = `${NAME}${process.pid}`
  if (process.env[VARIABLE]?.endsWith(name)) return
  removeLeft(tmpdir())
  const folder = join(tmpdir(), name)
  mkdirSync(folder, { mode: 0o700 })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env[VARIABLE] = folder
  process.env.TMPDIR = folder
  // Without it, each test file would compile the program again.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
}

/** For workers, whose temporary folder is that of the test file. */
export function runFolder(): string {
  const folder = process.env[VARIABLE]
  if (folder === undefined) throw new Error(`${VARIABLE} is not set: vitest.config.ts makes the folder of a run`)
  return folder
}

function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith(NAME))) {
    const mine = statSync(join(folder, name), { throwIfNoEntry: false })?.uid === process.getuid?.()
    if (mine && !isRunning(Number(name.slice(NAME.length)))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
