/** Loads only the commands that the arguments mention: --help stays fast. */
import { Command, type Option } from 'commander'
import { packageVersion } from '../core/version.ts'
import type { Cli, GlobalOptions } from './cli.ts'

type Define = (command: Command, cli: Cli) => void

interface Verb {
  readonly name: string
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<Define>
  readonly alias?: string
}

const START = 'First steps:'
const FIND = 'Find and read:'
const HISTORY = 'Published history:'
const KEEP = 'The index:'
const SAFE = 'Keep it safe:'
const USE = 'For other programs:'
const LOOK = 'Look inside:'

const read = () => import('./commands/read.ts')
const indexing = () => import('./commands/indexing.ts')
const safekeeping = () => import('./commands/safekeeping.ts')
const inspect = () => import('./commands/inspect.ts')
const syncing = () => import('./commands/sync.ts')

const COMPLETION = 'completion'

const verb = (group: string, name: string, summary: string, load: Verb['load']): Verb => ({ name, group, summary, load })

export const VERBS: readonly Verb[] = [
  verb(START, 'init', 'find your harnesses, import their logs, install', async () => (await import('./commands/init.ts')).init),
  verb(START, 'demo', 'show what Mnemonic does, on sample sessions', async () => (await import('./commands/demo.ts')).demo),
  verb(START, 'sources', 'list what a sync would read, and where', async () => (await syncing()).sources),
  verb(START, 'sync', 'import what is new and index it', async () => (await syncing()).sync),
  verb(FIND, 'search', 'find what was said, with date and citation', async () => (await import('./commands/search.ts')).search),
  verb(FIND, 'files', 'list who touched which files, and when', async () => (await import('./commands/files.ts')).files),
  {
    ...verb(FIND, 'why', 'say why lines of a file are there: who asked what', async () => (await import('./commands/why.ts')).why),
    alias: 'blame',
  },
  verb(FIND, 'topics', 'list what was talked about, and when', async () => (await import('./commands/topics.ts')).topics),
  verb(FIND, 'secrets', 'list which secrets lie in your logs, and where', async () => (await import('./commands/secrets.ts')).secrets),
  verb(FIND, 'timeline', 'show what happened on a day, from all sources', async () => (await import('./commands/timeline.ts')).timeline),
  verb(FIND, 'decisions', 'show what was decided, and what holds now', async () => (await import('./commands/decisions.ts')).decisions),
  verb(FIND, 'events', 'list what was decided, promised or corrected', async () => (await import('./commands/events.ts')).events),
  verb(FIND, 'sessions', 'list sessions, newest first', async () => (await read()).sessions),
  verb(FIND, 'projects', 'list projects, and say which are one', async () => (await import('./commands/projects.ts')).projects),
  verb(FIND, 'project', 'show what is known of a project, on one screen', async () => (await import('./commands/project.ts')).project),
  verb(FIND, 'how', 'show how something is run in a project', async () => (await import('./commands/fix.ts')).how),
  verb(FIND, 'fix', 'show what fixed an error before', async () => (await import('./commands/fix.ts')).fix),
  verb(FIND, 'friction', 'list errors that keep coming back', async () => (await import('./commands/fix.ts')).friction),
  verb(FIND, 'episodes', 'list conversations, mail threads and meetings', async () => (await import('./commands/episodes.ts')).episodes),
  verb(FIND, 'related', 'list what discusses the same as a session', async () => (await import('./commands/related.ts')).related),
  verb(FIND, 'entities', 'list people and things, and say which are one', async () => (await import('./commands/entities.ts')).entities),
  verb(FIND, 'remember', 'keep a fact or preference that you state', async () => (await import('./commands/remember.ts')).remember),
  verb(FIND, 'rename', 'give a session a title of your own', async () => (await import('./commands/rename.ts')).rename),
  verb(FIND, 'show', 'print a session, a turn or a document', async () => (await import('./commands/show.ts')).show),
  verb(
    FIND,
    'read',
    'print the memory that a prompt is given, and why',
    async () => (await import('./commands/read-prompt.ts')).readPrompt,
  ),
  verb(FIND, 'open', 'open the published file of a session', async () => (await import('./commands/open.ts')).open),
  verb(FIND, 'left-off', 'say where the work on a project was left', async () => (await import('./commands/left-off.ts')).leftOff),
  verb(FIND, 'resume', 'print the harness’s command to go on with a session', async () => (await import('./commands/resume.ts')).resume),
  verb(FIND, 'route', 'rank the sessions to continue with a message', async () => (await import('./commands/route.ts')).route),
  verb(FIND, 'fork', 'make what a next session needs of earlier ones', async () => (await import('./commands/fork.ts')).fork),
  verb(HISTORY, 'memory', 'publish sessions as markdown, and MEMORY.md', async () => (await import('./commands/memory.ts')).memory),
  verb(
    HISTORY,
    'dossier',
    'write what is known of somebody or something, cited',
    async () => (await import('./commands/dossier.ts')).dossier,
  ),
  verb(HISTORY, 'howto', 'write how a project is worked on, cited', async () => (await import('./commands/howto.ts')).howto),
  verb(KEEP, 'index', 'build or rebuild the search index', async () => (await indexing()).index),
  verb(KEEP, 'analyze', 'find topics, decisions, people and facts', async () => (await import('./commands/analyze.ts')).analyze),
  verb(KEEP, 'rebuild', 'make all that is derived again', async () => (await import('./commands/rebuild.ts')).rebuild),
  verb(KEEP, 'embed', 'compute the vectors of chunks', async () => (await indexing()).embed),
  verb(KEEP, 'chunk', 'rebuild chunks, or check session files', async () => (await indexing()).chunk),
  verb(KEEP, 'write', 'write what the hooks of harnesses left waiting', async () => (await import('./commands/write.ts')).write),
  verb(SAFE, 'backup', 'write the whole database into one file', async () => (await safekeeping()).backup),
  verb(SAFE, 'restore', 'replace the database by a backup', async () => (await safekeeping()).restore),
  verb(SAFE, 'export', 'write a conversation, or everything, redacted', async () => (await safekeeping()).exportAll),
  verb(SAFE, 'forget', 'remove something everywhere, and prove it', async () => (await import('./commands/forget.ts')).forget),
  verb(
    SAFE,
    'uninstall',
    'list what is on this machine, or take it out again',
    async () => (await import('./commands/uninstall.ts')).uninstall,
  ),
  verb(USE, 'install', 'give the memory to a harness, or sync every hour', async () => (await import('./commands/install.ts')).install),
  verb(USE, 'mcp', 'serve the memory to an agent over stdio (MCP)', async () => (await import('./commands/mcp.ts')).mcp),
  verb(USE, 'hook', 'answer a hook of an AI harness; hook test shows how', async () => (await import('./commands/hook.ts')).hook),
  verb(USE, 'skills', 'write instructions and scripts for agents', async () => (await import('./commands/skills.ts')).skills),
  verb(USE, COMPLETION, 'complete commands in bash, zsh or fish', async () => (await import('./commands/completion.ts')).completion),
  verb(LOOK, 'status', 'counts, sizes and metrics', async () => (await inspect()).status),
  verb(LOOK, 'health', 'OK, DEGRADED or ERROR, and why', async () => (await inspect()).health),
  verb(LOOK, 'doctor', 'check this installation', async () => (await inspect()).doctor),
  verb(LOOK, 'paths', 'print where everything is stored', async () => (await inspect()).paths),
  verb(LOOK, 'sql', 'run one read-only query on the database', async () => (await inspect()).sql),
]

/** Commands that need an existing home and never create one. */
const READERS = new Set(
  `search left-off files why topics secrets timeline decisions events sessions projects episodes related entities remember rename show read open resume
  route fork memory dossier index analyze rebuild embed chunk write backup export forget sql status health doctor`.split(/\s+/),
)

const WIDEST_HELP = 100

function helpWidth({ io: { isTTY, columns } }: Cli): number {
  return isTTY.stdout && columns ? Math.min(columns, WIDEST_HELP) : WIDEST_HELP
}

function ofProgram(command: Command): Option[] {
  let top = command
  while (top.parent !== null) top = top.parent
  return top === command ? [] : top.options.filter(({ hidden }) => !hidden)
}

export async function buildProgram(argv: readonly string[], cli: Cli): Promise<Command> {
  const program = new Command('mnemonic')
    .description('A local memory for AI agents: it keeps every session in one database, and finds what was said, with date and citation.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => cli.io.stdout.write(cli.out.ours(text)), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true, helpWidth: helpWidth(cli), visibleGlobalOptions: ofProgram })
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup(LOOK)
    .helpCommand('help [command]', 'the same as COMMAND --help')
    .option('--json', 'print one JSON document (docs/json-output.md)')
    .option('--for-agent', 'answer in the short form for agents (default where an AI harness calls and stdout is no terminal)')
    .option('--no-for-agent', 'answer as for people')
    .option('--home <dir>', 'folder of the database (MNEMONIC_HOME; default ~/.mnemonic)')
    .option('--workspace <dir>', 'folder of published files (MNEMONIC_WORKSPACE; default ~/.agents)')
    .option('--agent <id>', 'whose memory to use (MNEMONIC_AGENT; default main); all reads everyone’s')
    .option('--debug', 'print stack traces with errors')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .addHelpText('after', '\nTry it:\n  $ mnemonic demo\n  $ mnemonic sync && mnemonic search "why did we choose sqlite"')
  cli.configure(() => program.opts<GlobalOptions>())
  program.hook('preSubcommand', (_, command) => {
    cli.reads = READERS.has(command.name()) ? command.name() : undefined
    cli.begins = command.name() === 'sync'
  })
  for (const { name, summary, group, load, alias } of VERBS) {
    const command = program.command(name).summary(summary).helpGroup(group)
    if (alias !== undefined) command.alias(alias)
    if (argv.includes(name) || (alias !== undefined && argv.includes(alias)) || argv.includes(COMPLETION)) (await load())(command, cli)
  }
  return program
}
