/** `mnemonic uninstall`: says what stays and what goes. Without --purge nothing goes. */
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatUninstall } from '../format/backup.ts'

interface Options {
  readonly purge?: boolean
  readonly artifacts?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--purge', 'remove the home: database, configuration, models, logs')
    .option('--artifacts', 'with --purge: the published files of the workspace too')
    .option('--dry-run', 'say what would go, and change nothing')
    .option('--yes', 'do not ask')
    .description(
      'Says what of Mnemonic is on this machine. Nothing is removed without --purge, and never a file that it does not know by name.',
    )
    .addHelpText('after', examples('uninstall', 'uninstall --purge --dry-run', 'uninstall --purge --artifacts'))
    .action(({ purge = false, artifacts = false, dryRun = false, yes = false }: Options) =>
      cli.run(async (mnemonic) => {
        const report = await mnemonic.safekeeping.uninstall({
          ...{ purge, artifacts, dryRun },
          confirm: async (plan) => yes || confirm(cli, formatUninstall(plan), 'Remove it for good?'),
        })
        if (report === undefined) {
          cli.out.hint('nothing was removed')
          return 1
        }
        cli.out.answer(report, () => formatUninstall(report))
        return 0
      }),
    )
}
