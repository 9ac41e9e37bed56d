/** `mnemonic chunk`: the index seen from its chunks, and the check of session files, which imports nothing. */
import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatValidation } from '../format/index-report.ts'
import { rebuild } from './index.ts'

interface Options {
  readonly session?: string
  readonly all?: true
  readonly validateOnly?: true
}

export function define(command: Command, cli: Cli): void {
  command
    .description('Cuts sessions into chunks again, or checks session files without importing them.')
    .argument('[path]', 'with --validate-only: a session file, or a folder of them')
    .addOption(new Option('--session <id>', 'one session: id, label, or a unique prefix').conflicts(['all', 'validateOnly']))
    .addOption(new Option('--all', 'every session').conflicts(['session', 'validateOnly']))
    .addOption(new Option('--validate-only', 'only say which session files are valid, and why not'))
    .addHelpText('after', examples('chunk --all', 'chunk --session c462ed', 'chunk --validate-only ~/sessions'))
    .action(async (path: string | undefined, options: Options) => {
      if (options.validateOnly) return validate(cli, path)
      if (path !== undefined) throw pathNeedsValidate(path)
      return rebuild(cli, options)
    })
}

function validate(cli: Cli, path: string | undefined): Promise<void> {
  return cli.run(async (mnemonic) => {
    const checked = await mnemonic.sources.validate(path)
    const files = checked.map(({ path, result: { valid, errors, warnings } }) => ({ path, valid, errors, warnings }))
    const invalid = files.filter((file) => !file.valid).length
    cli.out.answer({ files, valid: files.length - invalid, invalid }, () => formatValidation(checked, cli.out.style))
    if (files.length === 0) cli.out.hint('no session file found; name a file or a folder: mnemonic chunk --validate-only PATH')
    return invalid > 0 ? 3 : 0
  })
}

function pathNeedsValidate(path: string): MnemonicError {
  return new MnemonicError('USAGE', 'chunk takes a path only together with --validate-only', {
    details: { path },
    hint: 'To check files: mnemonic chunk --validate-only PATH. To import them: mnemonic sync --path PATH',
  })
}
