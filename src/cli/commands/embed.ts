/** `mnemonic embed`: gives every chunk that waits its vector, and says how far that is. */
import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatEmbedReport, formatEmbedStatus } from '../format/embed.ts'

interface Options {
  readonly session?: string
  readonly all?: true
  readonly status?: true
}

export function define(command: Command, cli: Cli): void {
  const option = (flags: string, text: string, others: string[]) => command.addOption(new Option(flags, text).conflicts(others))
  option('--session <id>', 'one session: id, label, or a unique prefix', ['all', 'status'])
  option('--all', 'forget earlier failures, embed all that has no vector, and clean up', ['session', 'status'])
  option('--status', 'how many chunks have vectors, of which model; changes nothing', ['session', 'all'])
  command
    .description('Gives every chunk that waits its vector, newest first. Stop it at any time: the next run goes on from there.')
    .addHelpText('after', examples('embed', 'embed --session c462ed', 'embed --status'))
    .action((options: Options) => (options.status ? status(cli) : embed(cli, options)))
}

function embed(cli: Cli, { session, all }: Options): Promise<void> {
  return cli.run(async (mnemonic) => {
    const report = await cli.job((job) => mnemonic.embedding.run({ ...given({ session, all }), ...job }))
    cli.out.answer(report, () => formatEmbedReport(report))
    // With --json the warnings stand in the document, once.
    if (!cli.out.json) for (const warning of report.warnings) cli.out.warn(warning)
    return report.failed > 0 || report.stopped !== null ? 3 : 0
  })
}

function status(cli: Cli): Promise<void> {
  return cli.run(async (mnemonic) => {
    const found = await mnemonic.embedding.status()
    cli.out.answer(found, () => formatEmbedStatus(found, Date.now()))
    if (!cli.out.json) for (const warning of found.warnings) cli.out.warn(warning)
    if (found.chunks === 0) cli.out.hint('nothing indexed yet: mnemonic sync')
    return 0
  })
}
