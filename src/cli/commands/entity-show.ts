/** `mnemonic entities show`: what is known of somebody or something, with where it was said. */
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatAbout } from '../format/about.ts'

interface Flags {
  readonly asOf?: string
  readonly type?: string
  readonly limit?: number
}

/** People, projects and things of the graph. */
export function entities(command: Command, cli: Cli): void {
  command.description('Shows what is known of people, projects and things.').addHelpText('after', examples('entities show Sarah'))
  entityShow(command.command('show'), cli)
}

export function entityShow(command: Command, cli: Cli): void {
  command
    .description(
      'Shows what is known of a person, a project or a thing: what holds, what held before, what is only claimed, each with the messages that say so.',
    )
    .argument('<name...>', 'a name, an address, or the beginning of an id')
    .option('--as-of <time>', 'what was true then, by what had been said by then: 2026-02-01, "last month"')
    .option('--type <type>', 'only of this type: person, company, project, …')
    .option('-n, --limit <n>', 'most episodes to list (default: 5)', wholeNumber(100))
    .addHelpText(
      'after',
      examples('entities show Sarah', 'entities show "Tyler Brandt" --as-of 2026-01-15', 'entities show mnemonic --type project'),
    )
    .action((words: string[], flags: Flags, self: Command) =>
      cli.run(async (mnemonic) => {
        const { asOf, type, limit } = self.optsWithGlobals<Flags>()
        const answer = await mnemonic.about(words.join(' '), given({ asOf, type, agent: cli.agent(), episodes: limit ?? flags.limit }))
        const printed = () => formatAbout(answer, { style: cli.out.style })
        cli.out.answer(answer, () => (cli.out.forAgent ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        return 0
      }),
    )
}
