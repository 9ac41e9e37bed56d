import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatProject } from '../format/project.ts'

export function project(command: Command, cli: Cli): void {
  command
    .description(
      'Prints the card of a project, taken from what tool calls did and from what was decided: how it is built, tested and linted, who works on it, where things are, what its words mean, what holds, what is open, pitfalls. Each line names the turn that says it. --json has all lines.',
    )
    .argument('[name]', 'its name, its remote or its folder; that of the current folder if left out')
    .addHelpText('after', examples('project', 'project entireio/cli', 'project ~/code/harbor --json'))
    .action((name: string | undefined) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.projects.card(name, given({ agent: cli.agent(), whole: cli.out.json || undefined }))
        const printed = () => formatProject(answer)
        cli.out.answer(answer, () => (cli.out.forAgent ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : asData(cli.out, printed())))
        return 0
      }),
    )
}
