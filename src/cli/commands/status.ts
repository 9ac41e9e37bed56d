/** `mnemonic status`: counts of every ledger and of the index, metrics and sizes. */
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatStatus } from '../format/status.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Counts every ledger and the index, and says how long things took and how much room they take.')
    .addHelpText('after', examples('status', 'status --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const status = await mnemonic.status()
        cli.out.answer(status, () => formatStatus(status, { style: cli.out.style, now: Date.now() }))
        if (status.last_sync === null) cli.out.hint('nothing imported yet: mnemonic sync')
        return 0
      }),
    )
}
