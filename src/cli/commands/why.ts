import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { whyText } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { rememberAnswer } from '../last-answer.ts'

interface Flags {
  readonly git: boolean
}

export function why(command: Command, cli: Cli): void {
  command
    .description(
      'Says why lines of a file are there: the session that wrote each, what was asked, decided and tried, then who and when. Git names the commits, the edit calls of sessions name the turn; what is not sure is called unknown.',
    )
    .argument('<place>', 'a file, with lines or without: src/a.ts, src/a.ts:12, src/a.ts:12-20, src/a.ts:12:5')
    .option('--no-git', 'go by edit calls alone')
    .addHelpText('after', examples('why src/main.ts:42', 'why src/main.ts:40-60 --json', 'blame docs/api.md', 'why src/main.ts --no-git'))
    .action((place: string, { git }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.why({ at: place, folder: process.cwd(), git, ...given({ agent: cli.agent() }) })
        const { text, ids } = await whyText(answer, {
          forAgent: cli.out.forAgent,
          readHit: (number) => cli.out.ours(`mnemonic show ${number}`),
        })
        await rememberAnswer(cli, mnemonic, ids)
        cli.out.answer(answer, () => text)
        if (answer.counts.edit + answer.counts.commit === 0 && !cli.out.forAgent) cli.out.hint('to import sessions: mnemonic sync')
        return 0
      }),
    )
}
