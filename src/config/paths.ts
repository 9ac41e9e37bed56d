/** Where everything lies: home and workspace, and the files in them. Only names places; never creates or reads one. */
import { homedir as systemHomedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { MnemonicError } from '../core/error.ts'

export interface Paths {
  /** MNEMONIC_HOME: database, configuration, models, logs. */
  readonly home: string
  /** The workspace root: memory/, dossiers/, MEMORY.md. */
  readonly workspace: string
  readonly database: string
  readonly config: string
  readonly models: string
  readonly logs: string
  /** The artifacts, below the workspace. */
  readonly memory: string
}

export interface PathOptions {
  /** Wins over MNEMONIC_HOME. */
  readonly home?: string | undefined
  /** Wins over MNEMONIC_WORKSPACE and SIGNET_WORKSPACE. */
  readonly workspace?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly homedir?: string | undefined
}

/** Option, then environment, then default. `~` is expanded, a relative path is made absolute, an empty value counts as unset. */
export function resolvePaths(options: PathOptions = {}): Paths {
  const env = options.env ?? process.env
  const homedir = options.homedir ?? systemHomedir()
  // An empty HOME would make every default, and every place where sessions lie, one below the current folder.
  if (!isAbsolute(homedir)) throw noHomedir(homedir)
  const home = place([options.home, env.MNEMONIC_HOME, join(homedir, '.mnemonic')], homedir)
  const workspace = place([options.workspace, env.MNEMONIC_WORKSPACE, env.SIGNET_WORKSPACE, join(homedir, '.agents')], homedir)
  return {
    home,
    workspace,
    database: join(home, 'mnemonic.db'),
    config: join(home, 'config.yaml'),
    models: join(home, 'models'),
    logs: join(home, 'logs'),
    memory: join(workspace, 'memory'),
  }
}

function noHomedir(homedir: string): MnemonicError {
  const what = homedir === '' ? 'HOME is empty' : `HOME is no absolute path: ${homedir}`
  return new MnemonicError('CONFIG_INVALID', `${what}, so nobody knows where your sessions and your memory lie`, {
    details: { home: homedir },
    hint: 'Set HOME to your home folder, or unset it.',
  })
}

/** `~` and `~/…` as the home folder; everything else, `~name` too, as it stands. */
export function expandHome(path: string, homedir: string = systemHomedir()): string {
  if (path === '~') return homedir
  return /^~[/\\]/.test(path) ? join(homedir, path.slice(2)) : path
}

function place(candidates: readonly (string | undefined)[], homedir: string): string {
  const first = candidates.find((candidate) => candidate !== undefined && candidate.trim() !== '') ?? ''
  return resolve(expandHome(first.trim(), homedir))
}
