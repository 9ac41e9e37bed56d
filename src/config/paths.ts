/** Where everything is: home and workspace, and the files in them. Only computes paths; creates and reads nothing. */
import { homedir as systemHomedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { firstPath, homeFolder } from '../core/home-folder.ts'

export { expandHome } from '../core/home-folder.ts'

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

/** The tombstones, below the workspace. Here, so that a search can ask whether there are any without loading what reads them. */
export const TOMBSTONE_FILE = 'memory/tombstones.jsonl'

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
  // With an empty HOME every default path, those of sessions too, would be inside the current folder.
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
