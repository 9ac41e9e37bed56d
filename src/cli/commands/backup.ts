/** `mnemonic backup FILE`: everything in the database as one file, raw, while others go on. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatBackup } from '../format/backup.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'where to; its folder must exist')
    .option('--force', 'replace a file that is there')
    .description(
      'Writes the whole database into one file, also while other processes write. It is raw, with every secret that a session holds: keep it like a key.',
    )
    .addHelpText('after', examples('backup ~/backups/mnemonic-2026-03.db', 'backup /mnt/usb/mnemonic.db --force --json'))
    .action((file: string, { force = false }: { readonly force?: boolean }) =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.safekeeping.backup(resolve(file), { force, ...job }))
        cli.out.answer(report, () => formatBackup(report))
        if (!cli.out.json) cli.out.hint(`bring it back: mnemonic restore ${report.path}`)
        return 0
      }),
    )
}
