import { CommanderError } from 'commander'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { createCli } from './cli.ts'
import { interruptedExitCode } from './interruption.ts'
import type { Io } from './io.ts'
import { output } from './output.ts'
import { buildProgram, VERBS } from './program.ts'

export async function run(argv: readonly string[], io: Io): Promise<number> {
  // Read before parsing, so that a usage error has the requested form.
  const given = (flag: string) => argv.slice(0, argv.indexOf('--') === -1 ? argv.length : argv.indexOf('--')).includes(flag)
  const debug = given('--debug')
  const forAgent = given('--no-for-agent') ? false : given('--for-agent') ? true : undefined
  const out = output(io, { json: given('--json'), color: !given('--no-color'), forAgent })
  const cli = createCli(io, out)
  try {
    const program = await buildProgram(argv, cli)
    if (argv.length === 0) {
      io.stderr.write(out.ours(program.helpInformation()))
      return 2
    }
    await program.parseAsync(argv, { from: 'user' })
    return cli.exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0
    const error = thrown instanceof CommanderError ? usageError(thrown, argv) : asMnemonicError(thrown)
    if (cli.aborted !== undefined) {
      out.error(asMnemonicError(cli.aborted), { debug })
      return interruptedExitCode(cli.aborted)
    }
    out.error(error, { debug })
    return error.code === 'USAGE' ? 2 : 1
  }
}

function usageError(error: CommanderError, argv: readonly string[]): MnemonicError {
  const verb = argv.find((word) => VERBS.some(({ name }) => name === word))
  const message =
    error.code === 'commander.help' ? `mnemonic ${verb} needs a command` : error.message.replace(/^error: /, '').replaceAll('\n', ' ')
  return new MnemonicError('USAGE', message, {
    details: { reason: error.code },
    hint: verb === undefined ? 'mnemonic --help' : `mnemonic ${verb} --help`,
  })
}
