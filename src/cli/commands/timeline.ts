import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import type { TimelineAnswer } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { nearerDay } from '../format/search-notes.ts'
import { formatTimeline } from '../format/timeline.ts'
import { printPaged } from '../pager.ts'

interface Flags {
  readonly day?: string
  readonly week?: string | true
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly project?: string
  readonly entity?: string
}

export function timeline(command: Command, cli: Cli): void {
  command
    .description(
      'Shows what happened on a day, in order of time: sessions with their commits and decisions, meetings, chats and mail threads.',
    )
    .argument('[when...]', 'the same as --day: yesterday, "last Tuesday", 2026-02-03, "last week"; today without it')
    .option('--day <day>', 'this day: 2026-02-03, yesterday, "last Tuesday"')
    .option('--week [day]', 'the week from Monday on that this day is in; this week without a day')
    .option('--after <time>', 'from this time on')
    .option('--before <time>', 'before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--project <name>', 'only sessions of this project: its name, path or remote; . is that of this folder')
    .option('--entity <name>', 'only what names this person, project or thing, and what that person took part in')
    .addHelpText(
      'after',
      examples(
        'timeline',
        'timeline yesterday',
        'timeline --day 2026-02-03',
        'timeline --week 2026-02-03',
        'timeline --after "3 days ago" --project .',
      ),
    )
    .action((words: string[], { day = words.join(' ') || undefined, ...flags }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.timeline(given({ ...flags, day, agent: cli.agent() }))
        const { forAgent, style, width } = cli.out
        const printed = () => formatTimeline(answer, { width, style })
        if (cli.out.json || forAgent) {
          const marked = () => (answer.days.length > 0 ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed())
          cli.out.answer(answer, marked)
        } else await printPaged(cli, lines(`${printed()}\n`))
        if (answer.days.length === 0) cli.out.hint(nothing(answer))
        else if (!cli.out.json && !forAgent) cli.out.hint(`to read one: mnemonic show ${anId(answer)}`)
        return 0
      }),
    )
}

async function* lines(text: string): AsyncGenerator<string> {
  yield text
}

function anId({ days }: TimelineAnswer): string {
  return days.flatMap(({ entries }) => entries.flatMap(({ id }) => id ?? []))[0] ?? 'ID'
}

function nothing({ nearest, from, to }: TimelineAnswer): string {
  const near = nearest === null ? null : nearerDay(nearest, { from, to })
  const days = [nearest?.before, nearest?.after].filter((day) => day != null)
  if (near === null) return 'nothing is known of any day; to import what is new: mnemonic sync'
  return `the nearest with something: ${days.join(' and ')}; mnemonic timeline --day ${near}`
}
