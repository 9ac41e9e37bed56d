/** A machine to install on: own home folder, own PATH. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Machine } from '../../src/roles/install/machine.ts'
import type { Program } from '../../src/roles/install/program.ts'

export interface TestMachine {
  readonly machine: Machine
  readonly program: Program
  readonly bin: string
  at(...parts: string[]): string
  write(path: string, text: string | Uint8Array): string
  read(path: string): string
  /** A POSIX shell script on the PATH. */
  script(name: string, lines: string): string
  files(): Record<string, string>
}

export const PROGRAM: Program = { words: ['mnemonic'], options: [], notes: [] }

export function testMachine(env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = 'linux'): TestMachine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mnemonic-install-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'user')
  const bin = join(root, 'bin')
  mkdirSync(home)
  mkdirSync(bin)
  const at = (...parts: string[]) => join(home, ...parts)
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
    return at(path)
  }
  return {
    machine: { env: { PATH: bin, HOME: home, ...env }, home, platform },
    program: PROGRAM,
    bin,
    at,
    write,
    read: (path) => readFileSync(at(path), 'utf8'),
    script(name, lines) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`)
      chmodSync(join(bin, name), 0o755)
      return join(bin, name)
    },
    files() {
      const found: Record<string, string> = {}
      for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isFile())
          found[path.slice(home.length + 1)] = `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`
      }
      return found
    },
  }
}
