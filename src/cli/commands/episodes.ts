import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import type { EpisodesRequest } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatDefinitions, formatEpisode, formatEpisodes, formatRebuilt } from '../format/episodes.ts'
import { printPaged } from '../pager.ts'

type Flags = Pick<EpisodesRequest, 'channel' | 'definition' | 'thread' | 'entity' | 'after' | 'before' | 'since' | 'until' | 'limit'>

export function episodes(command: Command, cli: Cli): void {
  command
    .description(
      'Lists episodes, newest first: conversations without a pause of 90 minutes, mail threads, meetings, and sessions of agents. Every sync keeps them up to date.',
    )
    .argument('[id]', 'print what was said in this one; the beginning of its id is enough')
    .option('--channel <name>', 'only of this channel: imessage, gmail, calendar, or a harness')
    .option('--thread <name>', 'only of this thread or session: its id, or a part of its name')
    .option('--entity <name>', 'only those that name this person, project or thing, or in which that person took part')
    .option('--definition <name>', 'only those that this definition made; agent_turn and aix_turn are listed only so')
    .option('--after <time>', 'only what went on from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'only what began before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('-n, --limit <n>', 'most lines to print (default: 20; of one episode 200 events)', wholeNumber(10_000))
    .addHelpText(
      'after',
      examples('episodes --channel imessage --after 2026-02-01', 'episodes --thread Sarah', 'episodes e:3f2a9c1d', 'episodes definitions'),
    )
    .action((id: string | undefined, flags: Flags) => (id === undefined ? list(cli, flags) : show(cli, id, flags.limit)))
  definitions(command.command('definitions'), cli)
  rebuild(command.command('rebuild'), cli)
}

function list(cli: Cli, flags: Flags): Promise<void> {
  return cli.run(async (mnemonic) => {
    const answer = await mnemonic.episodes.list(given({ ...flags, agent: cli.agent() }))
    cli.out.answer(answer, () => asData(cli, formatEpisodes(answer, cli.out.columns)))
    if (answer.total === 0) cli.out.hint('there is no such episode; to import messages, mail and meetings: mnemonic sources')
    else if (answer.total > answer.episodes.length)
      cli.out.hint(`${answer.episodes.length} of ${answer.total}: raise --limit, or name a channel, a thread or a time`)
    const [first] = answer.episodes
    if (first !== undefined && !cli.out.json) cli.out.hint(`to read one: mnemonic episodes e:${first.episode_id.slice(0, 8)}`)
    return 0
  })
}

/** Text by people is data to an agent, not advice. */
function asData({ out }: Cli, text: string): string {
  return out.forAgent && text !== '' ? `${NOTICE}\n${markMemory(escapeMarks(text))}` : text
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

function show(cli: Cli, id: string, limit: number | undefined): Promise<void> {
  return cli.run(async (mnemonic) => {
    const answer = await mnemonic.episodes.show(id, given({ limit }))
    const printed = () => asData(cli, formatEpisode(answer, { width: cli.out.width, style: cli.out.style }))
    if (cli.out.json || cli.out.forAgent) cli.out.answer(answer, printed)
    else await printPaged(cli, whole(`${printed()}\n`))
    if (answer.total > answer.events.length) cli.out.hint(`${answer.events.length} of ${answer.total}: raise --limit`)
    return 0
  })
}

function definitions(command: Command, cli: Cli): void {
  command
    .description('Lists the ways in which records are grouped into episodes, and how many each made.')
    .addHelpText('after', examples('episodes definitions', 'episodes definitions --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const found = await mnemonic.episodes.definitions()
        cli.out.answer({ definitions: found }, () => formatDefinitions(found, cli.out.columns))
        if (found.length === 0) cli.out.hint('the first sync writes them: mnemonic sync')
        return 0
      }),
    )
  addDefinition(command.command('add'), cli)
  command
    .command('remove')
    .summary('remove a definition of your own, with its episodes')
    .description('Removes a definition that was added, with its episodes and what analyses said of them. Those that are built in stay.')
    .argument('<name>', 'as mnemonic episodes definitions lists it')
    .action((name: string) =>
      cli.run(async (mnemonic) => {
        await mnemonic.episodes.removeDefinition(name)
        cli.out.answer({ removed: name }, () => `removed: ${name}`)
        return 0
      }),
    )
}

interface DefinitionFlags {
  readonly name: string
  readonly strategy: string
  readonly channel?: string
  readonly gap?: number
  readonly description?: string
}

function addDefinition(command: Command, cli: Cli): void {
  command
    .summary('add a way of grouping of your own, or change it')
    .description(
      'Adds a definition of your own, for analyses that name it (analyze types add --on). Search and lists keep to the built-in ones.',
    )
    .requiredOption('--name <name>', 'lower-case letters, digits and _')
    .requiredOption('--strategy <name>', 'time_gap, thread, single_event, aix_turn, agent_turn or agent_session')
    .option('--channel <name>', 'only of this channel: imessage, gmail, calendar, or a harness')
    .option('--gap <minutes>', 'of time_gap: the pause that ends an episode', wholeNumber(525_600))
    .option('--description <text>', 'what it is for')
    .addHelpText('after', examples('episodes definitions add --name day_of_chat --strategy time_gap --channel imessage --gap 480'))
    .action((_: unknown, self: Command) =>
      cli.run(async (mnemonic) => {
        // The parent command also has --channel, and commander gives it the value.
        const { name, strategy, channel, gap, description } = self.optsWithGlobals<DefinitionFlags>()
        const added = await mnemonic.episodes.addDefinition({ name, strategy, ...given({ channel, gapMinutes: gap, description }) })
        cli.out.answer(added, () => formatDefinitions([added], cli.out.columns))
        cli.out.hint('make its episodes: mnemonic episodes rebuild')
        return 0
      }),
    )
}

function rebuild(command: Command, cli: Cli): void {
  command
    .description('Makes episodes again from what is stored. Where nothing changed since they were made, nothing is written.')
    .option('--definition <name>', 'only those of this definition')
    .addHelpText('after', examples('episodes rebuild', 'episodes rebuild --definition gmail_thread'))
    .action((flags: { readonly definition?: string }, self: Command) =>
      cli.run(async (mnemonic) => {
        const { definition } = self.optsWithGlobals<typeof flags>()
        const report = await cli.job((job) => mnemonic.episodes.rebuild({ ...given({ definition }), ...job }))
        cli.out.answer(report, () => formatRebuilt(report))
        cli.out.warnings(report.warnings)
        return 0
      }),
    )
}
