/** The commands by name. Only the definitions of those that the arguments mention are loaded: --help stays instant. */
import { Command } from 'commander'
import type { Cli, GlobalOptions } from './cli.ts'
import { version } from './version.ts'

interface Definition {
  define(command: Command, cli: Cli): void
}

interface Verb {
  readonly name: string
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<Definition>
}

const START = 'First steps:'
const FIND = 'Find and read:'
const HISTORY = 'Published history:'
const KEEP = 'The index:'
const SAFE = 'Keep it safe:'
const USE = 'For other programs:'
const LOOK = 'Look inside:'

export const VERBS: readonly Verb[] = [
  { name: 'demo', group: START, summary: 'show what Mnemonic does, on sample sessions', load: () => import('./commands/demo.ts') },
  { name: 'sources', group: START, summary: 'what would be read, from where, how much', load: () => import('./commands/sources.ts') },
  { name: 'sync', group: START, summary: 'import what is new and index it', load: () => import('./commands/sync.ts') },
  { name: 'search', group: FIND, summary: 'find what was said, with date and citation', load: () => import('./commands/search.ts') },
  { name: 'sessions', group: FIND, summary: 'list sessions, newest first', load: () => import('./commands/sessions.ts') },
  { name: 'show', group: FIND, summary: 'print one session or one turn', load: () => import('./commands/show.ts') },
  { name: 'memory', group: HISTORY, summary: 'publish sessions as markdown, and MEMORY.md', load: () => import('./commands/memory.ts') },
  { name: 'index', group: KEEP, summary: 'build or rebuild the search index', load: () => import('./commands/index.ts') },
  { name: 'embed', group: KEEP, summary: 'give chunks their vectors', load: () => import('./commands/embed.ts') },
  { name: 'chunk', group: KEEP, summary: 'rebuild chunks, or check session files', load: () => import('./commands/chunk.ts') },
  { name: 'backup', group: SAFE, summary: 'the whole database in one file', load: () => import('./commands/backup.ts') },
  { name: 'restore', group: SAFE, summary: 'bring a backup back', load: () => import('./commands/restore.ts') },
  { name: 'export', group: SAFE, summary: 'everything in open formats, redacted', load: () => import('./commands/export.ts') },
  { name: 'forget', group: SAFE, summary: 'remove something everywhere, and prove it', load: () => import('./commands/forget.ts') },
  {
    name: 'uninstall',
    group: SAFE,
    summary: 'what is on this machine, and how to remove it',
    load: () => import('./commands/uninstall.ts'),
  },
  { name: 'mcp', group: USE, summary: 'serve the memory to an agent over stdio (MCP)', load: () => import('./commands/mcp.ts') },
  { name: 'status', group: LOOK, summary: 'counts, sizes and metrics', load: () => import('./commands/status.ts') },
  { name: 'health', group: LOOK, summary: 'OK, DEGRADED or ERROR, and why', load: () => import('./commands/health.ts') },
  { name: 'doctor', group: LOOK, summary: 'check this installation', load: () => import('./commands/doctor.ts') },
  { name: 'paths', group: LOOK, summary: 'where everything lies', load: () => import('./commands/paths.ts') },
  { name: 'sql', group: LOOK, summary: 'one read-only query on the database', load: () => import('./commands/sql.ts') },
]

export async function buildProgram(argv: readonly string[], cli: Cli): Promise<Command> {
  const program = new Command('mnemonic')
    .description('A local memory for AI agents: every session in one ledger, given back dated and cited.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => cli.io.stdout.write(text), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup(LOOK)
    .helpCommand('help [command]', 'the same as COMMAND --help')
    .option('--json', 'one JSON document on stdout (docs/json-output.md)')
    .option('--home <dir>', 'where the database lies (MNEMONIC_HOME; default ~/.mnemonic)')
    .option('--workspace <dir>', 'where artifacts lie (MNEMONIC_WORKSPACE; default ~/.agents)')
    .option('--agent <id>', 'whose memory (MNEMONIC_AGENT; default main; all: everyone’s, for reading)')
    .option('--debug', 'print stack traces with errors')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .addHelpText('after', '\nTry it:\n  $ mnemonic demo\n  $ mnemonic sync && mnemonic search "why did we choose sqlite"')
  cli.configure(() => program.opts<GlobalOptions>())
  for (const verb of VERBS) {
    const command = program.command(verb.name).summary(verb.summary).helpGroup(verb.group)
    if (argv.includes(verb.name)) (await verb.load()).define(command, cli)
  }
  return program
}
