/** Points all paths at a fresh folder before the tests of a file. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runFolder } from './run-folder.ts'

/** Where harnesses and other programs keep their files. */
const FOLDERS = [
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'APPDATA', 'CODEX_HOME', 'CURSOR_CONFIG_DIR', 'GEMINI_CLI_HOME', 'OPENCODE_DB'],
  ...['OPENCLAW_PROFILE', 'PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR', 'NEXUS_ROOT', 'NEXUS_STATE_DIR'],
]

const root = mkdtempSync(join(runFolder(), 'file-'))
const user = join(root, 'user')
const temporary = join(root, 'tmp')
for (const folder of [user, temporary]) mkdirSync(folder)
// Keeps npm's shared cache: else every package loads again.
process.env.npm_config_cache ??= join(homedir(), '.npm')
process.env.npm_config_userconfig ??= join(homedir(), '.npmrc')
process.env.HOME = user
process.env.USERPROFILE = user
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary
for (const name of FOLDERS) delete process.env[name]
process.env.MNEMONIC_HOME = join(root, 'home')
process.env.MNEMONIC_WORKSPACE = join(root, 'workspace')
process.env.CLAUDE_CONFIG_DIR = join(root, 'claude')
process.env.NO_COLOR = '1'
delete process.env.MNEMONIC_AGENT
delete process.env.SIGNET_WORKSPACE

// biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern which of its fixtures are wanted
afterAll(({}, file) => {
  const left = readdirSync(user, { recursive: true })
  const forgotten = readdirSync(temporary, { recursive: true })
  rmSync(root, { recursive: true, force: true })
  if (homedir() !== user) throw new Error(`the home folder of these tests became ${homedir()}`)
  if (left.length > 0) throw new Error(`in the home folder of whoever runs these tests there would be now: ${left.join(', ')}`)
  // Hooks that clean up do not run if a part was skipped.
  const isWhole = file.tasks.every(({ mode }) => mode !== 'skip')
  if (isWhole && forgotten.length > 0) throw new Error(`these tests leave in the temporary folder: ${forgotten.join(', ')}`)
})
