/** `mnemonic paths`: where everything lies. */
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { pairs } from '../format/layout.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Says where home, database, configuration, models, logs and artifacts lie.')
    .addHelpText('after', examples('paths', 'paths --json --home /tmp/other'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const paths = mnemonic.paths
        cli.out.answer(paths, () => pairs(Object.entries(paths)))
        return 0
      }),
    )
}
