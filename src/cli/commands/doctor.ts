/** `mnemonic doctor`: checks the installation. Answers even when the home cannot be opened, because that is when it is needed. */
import type { Command } from 'commander'
import { asMnemonicError } from '../../core/error.ts'
import type { DoctorReport } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { formatDoctor } from '../format/checks.ts'

export function define(command: Command, cli: Cli): void {
  const answer = (report: DoctorReport): ExitCode => {
    cli.out.answer(report, () => formatDoctor(report, cli.out.style))
    return report.ok ? 0 : 1
  }
  command
    .description('Checks this installation: runtime, database, rights, sources. Exit code 1 when something must be repaired.')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(() =>
      cli.runOrElse(
        async (mnemonic) => answer(await mnemonic.doctor()),
        (error) => answer(unopened(error)),
      ),
    )
}

function unopened(error: Error): DoctorReport {
  const { message, hint } = asMnemonicError(error)
  const home = { name: 'home', ok: false, found: message }
  return { ok: false, checks: [{ name: 'node', ok: true, found: process.versions.node }, hint === undefined ? home : { ...home, hint }] }
}
