import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatRebuild } from '../format/rebuild.ts'

const PLAN =
  'Episodes, labels, decisions, facts, people, habits and the index are made again by rules from what is stored.\nWhat you decided and what models answered stays. It can be stopped; the next rebuild goes on.'

export function rebuild(command: Command, cli: Cli): void {
  command
    .description(
      'Makes all that is derived again from what is stored: episodes, labels, decisions, facts, people, habits, the index. What you decided and what models answered stays; no model is asked.',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('rebuild', 'rebuild --yes --json'))
    .action(({ yes }: { readonly yes?: true }) =>
      cli.run(async (mnemonic) => {
        if (!yes && !(await confirm(cli, PLAN, 'Make it again?'))) return 1
        const report = await cli.job((job) => mnemonic.rebuild(job))
        cli.out.answer(report, () => formatRebuild(report))
        cli.out.warnings(report.warnings)
        return 0
      }),
    )
}
