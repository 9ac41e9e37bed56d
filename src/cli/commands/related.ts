import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatRelated } from '../format/related.ts'
import { numbered } from '../last-answer.ts'

export function related(command: Command, cli: Cli): void {
  command
    .description(
      'Lists the sessions, chats and mail threads that discuss the same as one of them, by what they share: names, references and words that few others have.',
    )
    .argument('<id>', 'a number of the last answer, a session, a turn, a message or an episode')
    .addHelpText('after', examples('related 1', 'related c010174c', 'related c010174c:7', 'related e:3f2a9c1d --json'))
    .action((id: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.related(numbered(cli, mnemonic, id), given({ agent: cli.agent() }))
        const printed = () => formatRelated(answer, cli.out.width)
        cli.out.answer(answer, () => (cli.out.forAgent ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        if (answer.related.length === 0) cli.out.hint('nothing shares enough with it; to search by words: mnemonic search')
        return 0
      }),
    )
}
