import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatTopics } from '../format/topics.ts'

interface Flags {
  readonly project?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
}

export function topics(command: Command, cli: Cli): void {
  command
    .description('Lists what was talked about: in how many conversations and chunks, first and last. search --topic takes each of them.')
    .option('--project <name>', 'only in sessions of this project: its name, a path, a remote, or . for this folder')
    .option('--after <time>', 'only what was said from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'only what was said before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('-n, --limit <n>', 'most topics to print (default: 20)', wholeNumber(10_000))
    .addHelpText('after', examples('topics', 'topics --project cli --after "1 week ago"', 'topics --limit 100 --json'))
    .action((flags: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.topics(given({ ...flags, agent: cli.agent() }))
        cli.out.answer(answer, () => asData(cli.out, formatTopics(answer, cli.out.width)))
        if (answer.topics.length === 0) cli.out.hint(nothing(flags))
        else if (answer.total > answer.topics.length) cli.out.hint(`${answer.topics.length} of ${answer.total}: raise --limit`)
        return 0
      }),
    )
}

function nothing({ limit: _, ...filters }: Flags): string {
  return Object.keys(filters).length > 0
    ? 'no topic passes these filters; without them: mnemonic topics'
    : 'there are no topics yet; to import what is new: mnemonic sync'
}
