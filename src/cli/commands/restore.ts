/** `mnemonic restore FILE`: a backup takes the place of the database, which is kept aside. What was forgotten stays forgotten. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatPlan, formatRestore } from '../format/backup.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'a file that mnemonic backup wrote')
    .option('--yes', 'do not ask')
    .description(
      'Puts a backup in the place of the database. The database that is there is kept aside, and what was forgotten since stays forgotten.',
    )
    .addHelpText('after', examples('restore ~/backups/mnemonic-2026-03.db', 'restore ~/backups/mnemonic-2026-03.db --yes --json'))
    .action((file: string, { yes = false }: { readonly yes?: boolean }) =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) =>
          mnemonic.safekeeping.restore(resolve(file), {
            ...job,
            confirm: async (plan) => yes || confirm(cli, formatPlan(plan), 'Put the backup in the place of the database?'),
          }),
        )
        if (report === undefined) {
          cli.out.hint('nothing was changed')
          return 1
        }
        cli.out.answer(report, () => formatRestore(report))
        if (!cli.out.json) cli.out.hint('what your sources hold since then comes with: mnemonic sync')
        return 0
      }),
    )
}
