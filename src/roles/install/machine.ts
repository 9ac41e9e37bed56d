import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { MnemonicError } from '../../core/error.ts'

export interface Machine {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly platform: NodeJS.Platform
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function thisMachine(): Machine {
  // HOME first: it may differ from the user's home folder.
  const home = process.env.HOME || homedir()
  return { env: process.env, home, platform: process.platform }
}

export function folderOf({ env, home }: Machine, name: string): string | undefined {
  const value = env[name]?.trim()
  if (value === undefined || value === '') return undefined
  return value === '~' || value.startsWith('~/') ? join(home, value.slice(2)) : resolve(value)
}

export function configHome(machine: Machine): string {
  return folderOf(machine, 'XDG_CONFIG_HOME') ?? join(machine.home, '.config')
}

export function onPath({ env, platform }: Machine, name: string): string | undefined {
  const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    for (const ending of endings) if (existsSync(join(folder, name + ending))) return join(folder, name + ending)
  }
  return undefined
}

const PATIENCE_MS = 15_000

export function run({ env }: Machine, command: string, args: readonly string[], input?: string): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8', timeout: PATIENCE_MS, input: input ?? '' })
  return { code: status, stdout: stdout ?? '', stderr: stderr ?? '' }
}

export function mustRun(machine: Machine, command: string, args: readonly string[], input?: string): Ran {
  const ran = run(machine, command, args, input)
  if (ran.code === 0) return ran
  const said = ran.stderr.trim().split('\n')[0] ?? ''
  throw new MnemonicError('STORAGE_ERROR', `${[command, ...args].join(' ')} failed${said === '' ? '' : `: ${said}`}`, {
    details: { command: [command, ...args].join(' '), code: ran.code },
    hint: 'Run that command by itself to see why.',
  })
}
