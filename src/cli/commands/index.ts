/** `mnemonic index`: builds the search index from the ledger. Never writes the ledger, never needs the sources. */
import { type Command, Option } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatIndexReport, formatIndexStatus } from '../format/index-report.ts'

interface Options {
  readonly new?: true
  readonly all?: true
  readonly session?: string
  readonly status?: true
}

export function define(command: Command, cli: Cli): void {
  const option = (flags: string, text: string, others: string[]) => command.addOption(new Option(flags, text).conflicts(others))
  option('--new', 'what is new or changed in the ledger (the default)', ['all', 'session', 'status'])
  option('--all', 'everything again', ['new', 'session', 'status'])
  option('--session <id>', 'one session again: id, label, or a unique prefix', ['new', 'all', 'status'])
  option('--status', 'what the index holds of each session; changes nothing', ['new', 'all', 'session'])
  command
    .description(
      'Builds the search index from the ledger. The sources are not needed for it, and not looked at: mnemonic sync reads what is new there, and indexes it.',
    )
    .addHelpText('after', examples('index', 'index --all', 'index --status --json'))
    .action((options: Options) => (options.status ? indexStatus(cli) : rebuild(cli, options)))
}

/** Also what `chunk` does: chunks are a part of the index. */
export function rebuild(cli: Cli, { all, session }: Pick<Options, 'all' | 'session'>): Promise<void> {
  return cli.run(async (mnemonic) => {
    const scope = session === undefined ? { scope: all ? ('all' as const) : ('new' as const) } : { session }
    const report = await cli.job((job) => mnemonic.index.run({ ...scope, ...job }))
    cli.out.answer(report, () => formatIndexReport(report))
    if (!cli.out.json) for (const warning of report.warnings) cli.out.warn(warning)
    if (session === undefined) cli.out.hint('the session folders were not looked at: mnemonic sync reads what is new there, and indexes it')
    return 0
  })
}

function indexStatus(cli: Cli): Promise<void> {
  return cli.run(async (mnemonic) => {
    const sessions = await mnemonic.index.status()
    cli.out.answer({ sessions }, () => formatIndexStatus(sessions))
    if (sessions.length === 0) cli.out.hint('nothing indexed yet: mnemonic sync')
    return 0
  })
}
