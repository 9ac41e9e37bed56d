/** Computes all paths. Never touches the file system. */
import { homedir as systemHomedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { firstPath, homeFolder } from '../core/home-folder.ts'

export { expandHome } from '../core/home-folder.ts'

export interface Paths {
  /** MNEMONIC_HOME: database, configuration, models, logs. */
  readonly home: string
  /** MNEMONIC_WORKSPACE: memory/, dossiers/, MEMORY.md. */
  readonly workspace: string
  readonly database: string
  readonly config: string
  readonly models: string
  readonly logs: string
  readonly memory: string
}

/** Declared here so that a search can test for the file without loading its reader. */
export const TOMBSTONE_FILE = 'memory/tombstones.jsonl'

export interface PathOptions {
  readonly home?: string | undefined
  readonly workspace?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly homedir?: string | undefined
}

/** Precedence: option, environment, default. Empty values count as unset. */
export function resolvePaths(options: PathOptions = {}): Paths {
  const env = options.env ?? process.env
  const homedir = options.homedir ?? systemHomedir()
  // If HOME is empty, every default path would point into the current folder.
  if (!isAbsolute(homedir)) throw noHomedir(homedir)
  const home = homeFolder(options.home, env, homedir)
  const workspace = firstPath([options.workspace, env.MNEMONIC_WORKSPACE, env.SIGNET_WORKSPACE, join(homedir, '.agents')], homedir)
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
  const what = homedir === '' ? 'HOME is empty' : `HOME is not an absolute path: ${homedir}`
  return new MnemonicError('CONFIG_INVALID', `${what}, so your sessions and your memory cannot be found`, {
    details: { home: homedir },
    hint: 'Set HOME to your home folder, or unset it.',
  })
}
