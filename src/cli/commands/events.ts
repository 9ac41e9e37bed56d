import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { STATEMENT_TYPES, type StatementType } from '../../core/statement-type.ts'
import type { EventsRequest } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatEvents } from '../format/events.ts'

interface Flags {
  readonly type?: StatementType
  readonly channel?: string
  readonly source?: string
  readonly entity?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly all?: true
  readonly limit: number
}

export function events(command: Command, cli: Cli): void {
  command
    .description(
      'Lists what was decided, promised, preferred or corrected in sessions, chats and mails, newest first, each with who said it and where. A sync finds it by rules, in turns that are final and in conversations that are over.',
    )
    .argument('[text...]', 'only with these words')
    .addOption(new Option('--type <type>', 'only of this type').choices([...STATEMENT_TYPES]))
    .option('--channel <name>', 'only from there: imessage, gmail, or a harness (claude-code, codex …)')
    .option('--source <name>', 'every event that this source gave: imessage, gmail, calendar; owner for what you decided and stated')
    .option('--entity <name>', 'only of what names this person, project or thing, or of what that person sent or received')
    .option('--after <time>', 'only from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'only before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--all', 'every event of the ledger: messages, mails, meetings and turns too')
    .option('-n, --limit <n>', 'most events to print', wholeNumber(10_000), 20)
    .addHelpText(
      'after',
      examples(
        'events',
        'events --type decision --since "last month"',
        'events retry policy',
        'events --all --channel gmail --after yesterday',
      ),
    )
    .action((words: string[], flags: Flags) =>
      cli.run(async (mnemonic) => {
        const text = words.length === 0 ? undefined : words.join(' ')
        const asked: EventsRequest = given({ ...flags, text, agent: cli.agent() })
        const found = await mnemonic.events(asked)
        const printed = () => formatEvents(found, cli.out.width, cli.out.style)
        cli.out.answer(found, () => (cli.out.forAgent && found.total > 0 ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        if (found.total === 0) cli.out.hint(nothing(asked))
        else if (found.total > found.events.length) cli.out.hint(`${found.events.length} of ${found.total}: raise --limit, or give words`)
        return 0
      }),
    )
}

function nothing({ limit: _, agent: __, ...filters }: EventsRequest): string {
  return Object.keys(filters).length > 0
    ? 'no event passes these filters; to search everything that was said: mnemonic search'
    : 'nothing was found to be decided, promised or corrected yet; to import what is new: mnemonic sync'
}
