/** `mnemonic related`: the sessions and conversations that discuss the same, in the order of time. */
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatRelated } from '../format/related.ts'

export function related(command: Command, cli: Cli): void {
  command
    .description(
      'Lists the sessions, chats and mail threads that discuss the same as one of them: those that share several names, references or words that few others have. No chain of likenesses is followed.',
    )
    .argument('<id>', 'a session, a turn or a message of one, or an episode')
    .addHelpText('after', examples('related c010174c', 'related c010174c:7', 'related e:3f2a9c1d --json'))
    .action((id: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.related(id, given({ agent: cli.agent() }))
        const printed = () => formatRelated(answer, cli.out.width)
        cli.out.answer(answer, () => (cli.out.forAgent ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        if (answer.related.length === 0) cli.out.hint('nothing shares enough with it; to search by words: mnemonic search')
        return 0
      }),
    )
}
