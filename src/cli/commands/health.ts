/** `mnemonic health`: OK (exit 0), DEGRADED (exit 3) or ERROR (exit 1), and why. Answers even when the database does not open. */
import type { Command } from 'commander'
import { asMnemonicError } from '../../core/error.ts'
import type { HealthReport } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { formatHealth } from '../format/checks.ts'

const EXIT: Readonly<Record<HealthReport['status'], ExitCode>> = { OK: 0, DEGRADED: 3, ERROR: 1 }

export function define(command: Command, cli: Cli): void {
  const answer = (report: HealthReport): ExitCode => {
    cli.out.answer(report, () => formatHealth(report, cli.out.style))
    return EXIT[report.status]
  }
  command
    .description('Says OK, DEGRADED or ERROR, and why. Exit code 0, 3 or 1.')
    .addHelpText('after', examples('health', 'health --json'))
    .action(() =>
      cli.runOrElse(
        async (mnemonic) => answer(await mnemonic.health()),
        (error) => answer(unopened(error)),
      ),
    )
}

function unopened(error: Error): HealthReport {
  const { message, hint } = asMnemonicError(error)
  const check = { name: 'database', status: 'ERROR' as const, message }
  return { status: 'ERROR', checks: [hint === undefined ? check : { ...check, hint }] }
}
