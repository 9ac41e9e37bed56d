/** `mnemonic show`: one session or one turn, redacted. The raw text is shown to a person at a terminal only. */
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatShow } from '../format/show.ts'

interface Options {
  readonly raw?: true
  readonly branches?: true
  readonly tools?: true
  readonly tree?: true
}

export function define(command: Command, cli: Cli): void {
  command
    .description('Prints a session with its turns, or one turn: whatever the id names. Secrets are redacted.')
    .argument('<id>', 'a session, turn or message: full id, native id, label, or a unique prefix of at least six characters')
    .option('--raw', 'without redaction; only on a terminal')
    .option('--branches', 'also turns on abandoned branches')
    .option('--tools', 'tool calls with parameters and results in full')
    .option('--tree', 'the session with its subagents instead of its text, from wherever in the tree')
    .addHelpText('after', examples('show c462ed', 'show content-plan-october', 'show c462ed --tools', 'show c462ed --tree'))
    .action(async (id: string, { raw, branches, tools, tree }: Options) => {
      if (raw && !cli.out.isTTY) throw rawRefused()
      await cli.run(async (mnemonic) => {
        const answer = await mnemonic.show(id, given({ raw, branches, tree }))
        const { style, width } = cli.out
        cli.out.answer(answer, () => formatShow(answer, { style, width, now: Date.now(), tools: tools === true }))
        return 0
      })
    })
}

function rawRefused(): MnemonicError {
  return new MnemonicError('USAGE', '--raw prints secrets as they are, so it works on a terminal only', {
    details: { option: '--raw' },
    hint: 'Leave --raw away to get the redacted text, or run it in a terminal without a pipe.',
  })
}
