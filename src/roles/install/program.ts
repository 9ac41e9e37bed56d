/**
 * How other programs start Mnemonic: by name if every program finds it, else by absolute path. Harnesses started from a desktop have a
 * short PATH.
 */
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MnemonicError } from '../../core/error.ts'
import { type Machine, onPath } from './machine.ts'

export interface Program {
  readonly words: readonly [string, ...string[]]
  readonly options: readonly string[]
  readonly notes: readonly string[]
}

export interface Places {
  readonly home: string
  readonly workspace: string
}

const EVERYWHERE = ['/usr/local/bin', '/usr/bin', '/bin']

export interface ProgramOptions {
  readonly binary?: string
  readonly node?: string
}

export function findProgram(machine: Machine, places: Places, options: ProgramOptions = {}): Program {
  const { binary = OWN_BINARY, node = process.execPath } = options
  const homeOptions = [
    ...(places.home === join(machine.home, '.mnemonic') ? [] : ['--home', places.home]),
    ...(places.workspace === join(machine.home, '.agents') ? [] : ['--workspace', places.workspace]),
  ]
  // npx puts its own link on the PATH, even in a clone of the package.
  const found = sameOnPath(machine, 'mnemonic', binary)
  const named = found !== undefined && IN_NPX_CACHE.test(found) ? undefined : found
  const runtime = sameOnPath(machine, 'node', node)
  if (named !== undefined && runtime !== undefined && [named, runtime].every((path) => EVERYWHERE.includes(dirname(path)))) {
    return { words: ['mnemonic'], options: homeOptions, notes: [] }
  }
  const script = machine.platform === 'win32' ? binary : (named ?? binary)
  const notes = IN_NPX_CACHE.test(binary)
    ? ['Mnemonic runs from the cache of npx, which may be cleared: run "npm install -g agent-mnemonic", then install again.']
    : [
        `Written with its whole path (${script}), so that it works wherever the harness is started from. Where Node or Mnemonic moves, install again.`,
      ]
  return { words: [runtime ?? node, script], options: homeOptions, notes }
}

const IN_NPX_CACHE = /[\\/]_npx[\\/]/
const OWN_BINARY = fileURLToPath(new URL(`../../cli/bin.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url))

/** The PATH's name of a file: it survives upgrades by a package manager. */
function sameOnPath(machine: Machine, name: string, file: string): string | undefined {
  const found = onPath(machine, name)
  return found !== undefined && real(found) === real(file) ? found : undefined
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** In a crontab or systemd unit, a line break in a path would start another entry. */
export function requirePlainPaths({ words, options }: Program): void {
  const path = [...words, ...options].find((word) => /[\u0000-\u001f\u007f]/.test(word))
  if (path === undefined) return
  throw new MnemonicError('USAGE', `${JSON.stringify(path)} has a control character in its name`, {
    details: { path },
    hint: 'No harness and no timer can be given such a path. Name another one: --home DIR --workspace DIR',
  })
}

export function asServer({ words: [command, ...before], options }: Program): { command: string; args: string[] } {
  return { command, args: [...before, 'mcp', ...options] }
}

export function hookWords({ words, options }: Program, harness: string, event: string): string[] {
  return [...words, 'hook', harness, event, ...options]
}

export function asCommandLine(machine: Machine, words: readonly string[]): string {
  return words.map((word) => quoted(word, machine.platform)).join(' ')
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const NAME = String.raw`(?:mnemonic(?:\.cmd|\.js)?|cli[\\/]bin\.[jt]s)["']?`

/** Recognises hooks of any path and version. */
export function isHookOf(harness: string, event: string): (found: unknown) => boolean {
  const line = new RegExp(`(?:^|[\\s"'\\\\/])${NAME}\\s+hook\\s+${harness}\\s+${event}(?:\\s|$)`)
  return (found) => {
    const command = (found as { command?: unknown } | null)?.command
    return typeof command === 'string' && line.test(command)
  }
}

export function isServer(found: unknown): boolean {
  const { command, args } = (found ?? {}) as { command?: unknown; args?: unknown }
  const words = [command, ...(Array.isArray(args) ? args : [])].flat().filter((word) => typeof word === 'string')
  return new RegExp(`(?:^|[\\s"'\\\\/])${NAME}\\s+mcp(?:\\s|$)`).test(words.join(' '))
}
