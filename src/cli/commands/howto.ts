import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { printable } from '../format/printable.ts'

export function howto(command: Command, cli: Cli): void {
  command
    .description(
      'Writes how a project is worked on into <workspace>/howto: commands that passed, steps that sessions repeat, tasks, pitfalls, each with the tool call that says so. One that you edited is never overwritten: the new one is written beside it, as NAME.new.md.',
    )
    .argument('[project]', 'its name, its remote or its folder; that of the current folder if left out')
    .option('--force', 'overwrite one that you edited, after a copy of it')
    .addHelpText('after', examples('howto', 'howto entireio/cli --force'))
    .action((name: string | undefined, { force }: { force?: true }) =>
      cli.run(async (mnemonic) => {
        const made = await mnemonic.dossiers.make(given({ projectHowTo: name ?? '.', force, agent: cli.agent() }))
        cli.out.answer(made, () => asData(cli.out, `${printable(made.path)}  ${made.state}, ${plural(made.sentences, 'sentence')}`))
        cli.out.warnings(made.warnings)
        if (made.state === 'kept')
          cli.out.hint('you edited the one that is there: the new one stands beside it; --force writes over yours, after a copy')
        return 0
      }),
    )
}
