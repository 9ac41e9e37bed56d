import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatEmbedReport, formatEmbedStatus, formatIndexReport, formatIndexStatus, formatValidation } from '../format/indexing.ts'

interface IndexFlags {
  readonly new?: true
  readonly all?: true
  readonly session?: string
  readonly status?: true
  readonly yes?: true
}

export function index(command: Command, cli: Cli): void {
  const option = (flags: string, text: string, others: string[]) => command.addOption(new Option(flags, text).conflicts(others))
  option('--new', 'what is new or changed (the default)', ['all', 'session', 'status'])
  option('--all', 'rebuild everything', ['new', 'session', 'status'])
  option('--session <id>', 'rebuild one session: id, label, or a unique prefix', ['new', 'all', 'status'])
  option('--status', 'print what the index holds of each session (of messages, mails and meetings: mnemonic episodes); changes nothing', [
    'new',
    'all',
    'session',
  ])
  command
    .option('-y, --yes', 'with --all: repair a damaged database without asking')
    .description(
      'Builds the search index from the ledger and the documents of the workspace. It reads no session logs: to import and index what is new there, use mnemonic sync.',
    )
    .addHelpText('after', examples('index', 'index --all', 'index --status --json'))
    .action((options: IndexFlags) => (options.status ? indexStatus(cli) : rebuild(cli, options)))
}

function rebuild(cli: Cli, { all, session, yes }: Pick<IndexFlags, 'all' | 'session' | 'yes'>): Promise<void> {
  return cli.run(async (mnemonic) => {
    const scope = session === undefined ? { scope: all ? ('all' as const) : ('new' as const) } : { session }
    const run = () => cli.job((job) => mnemonic.index.run({ ...scope, ...job }))
    const report = await run().catch(async (error: unknown) => {
      if (!all || !isDamage(error)) throw error
      // Damaged pages cannot be rebuilt in place: repair first.
      cli.exitCode = await (await import('./repair.ts')).repairDatabase(cli, mnemonic, given({ yes }))
      return cli.exitCode === 1 ? undefined : run()
    })
    if (report === undefined) return 1
    cli.out.answer(report, () => formatIndexReport(report))
    cli.out.warnings(report.warnings)
    if (session === undefined) cli.out.hint('session logs were not read; to import and index what is new there: mnemonic sync')
    return cli.exitCode === 3 ? 3 : 0
  })
}

function isDamage(error: unknown): boolean {
  return error instanceof MnemonicError && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.details.sqlite))
}

function indexStatus(cli: Cli): Promise<void> {
  return cli.run(async (mnemonic) => {
    const sessions = await mnemonic.index.status()
    cli.out.answer({ sessions }, () => formatIndexStatus(sessions))
    if (sessions.length === 0) cli.out.hint('nothing is indexed yet: mnemonic sync')
    return 0
  })
}

interface ChunkFlags {
  readonly session?: string
  readonly all?: true
  readonly validateOnly?: true
}

export function chunk(command: Command, cli: Cli): void {
  command
    .description('Splits sessions into chunks again, or checks session files without importing them.')
    .argument('[path]', 'with --validate-only: a session file, or a folder of them')
    .addOption(new Option('--session <id>', 'one session: id, label, or a unique prefix').conflicts(['all', 'validateOnly']))
    .addOption(new Option('--all', 'every session').conflicts(['session', 'validateOnly']))
    .addOption(new Option('--validate-only', 'check session files: print which are valid, and why others are not'))
    .addHelpText('after', examples('chunk --all', 'chunk --session c462ed', 'chunk --validate-only ~/sessions'))
    .action(async (path: string | undefined, options: ChunkFlags) => {
      if (options.validateOnly) return validate(cli, path)
      if (path !== undefined) throw pathNeedsValidate(path)
      return rebuild(cli, options)
    })
}

function validate(cli: Cli, path: string | undefined): Promise<void> {
  return cli.run(async (mnemonic) => {
    const checked = await mnemonic.sources.validate(path)
    const files = checked.map(({ path, result: { valid, errors, warnings } }) => ({ path, valid, errors, warnings }))
    const invalid = files.filter((file) => !file.valid).length
    cli.out.answer({ files, valid: files.length - invalid, invalid }, () => formatValidation(checked, cli.out.style))
    if (files.length === 0) cli.out.hint('no session file found; name a file or a folder: mnemonic chunk --validate-only PATH')
    return invalid > 0 ? 3 : 0
  })
}

function pathNeedsValidate(path: string): MnemonicError {
  return new MnemonicError('USAGE', 'chunk takes a path only together with --validate-only', {
    details: { path },
    hint: 'To check files: mnemonic chunk --validate-only PATH. To import them: mnemonic sync --path PATH',
  })
}

interface EmbedFlags {
  readonly session?: string
  readonly all?: true
  readonly status?: true
}

export function embed(command: Command, cli: Cli): void {
  const option = (flags: string, text: string, others: string[]) => command.addOption(new Option(flags, text).conflicts(others))
  option('--session <id>', 'one session: id, label, or a unique prefix', ['all', 'status'])
  option('--all', 'try failed chunks again too, and remove vectors that are no longer used', ['session', 'status'])
  option('--status', 'print how many chunks have vectors, and of which model; changes nothing', ['session', 'all'])
  command
    .description(
      'Computes the vectors of chunks that have none yet, newest first. It can be stopped at any time: the next run continues there.',
    )
    .addHelpText('after', examples('embed', 'embed --session c462ed', 'embed --status'))
    .action((options: EmbedFlags) => (options.status ? embedStatus(cli) : embedWaiting(cli, options)))
}

function embedWaiting(cli: Cli, { session, all }: EmbedFlags): Promise<void> {
  return cli.run(async (mnemonic) => {
    const report = await cli.job((job) => mnemonic.embedding.run({ ...given({ session, all }), ...job }))
    cli.out.answer(report, () => formatEmbedReport(report))
    cli.out.warnings(report.warnings)
    return report.failed > 0 || report.stopped !== null ? 3 : 0
  })
}

function embedStatus(cli: Cli): Promise<void> {
  return cli.run(async (mnemonic) => {
    const found = await mnemonic.embedding.status()
    cli.out.answer(found, () => formatEmbedStatus(found, Date.now()))
    cli.out.warnings(found.warnings)
    if (found.chunks === 0) cli.out.hint('nothing is indexed yet: mnemonic sync')
    return 0
  })
}
