import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { plural, stripControls } from '../../core/text.ts'
import type { MergeCandidate, Mnemonic, SaidOfEntity } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import {
  formatCandidate,
  formatCandidates,
  formatEntities,
  formatFound,
  formatPlaces,
  formatRelatedEntities,
  shortId,
} from '../format/entities.ts'
import { formatEntity } from '../format/entity.ts'
import { printPaged } from '../pager.ts'

interface Flags {
  readonly type?: string
  readonly limit?: number
}

const NAME = 'its id or the beginning of it, a name, or an address'
const ALIAS_TYPES = ['name', 'email', 'phone', 'handle', 'username', 'repository', 'package', 'path'] as const
const STATUSES = ['proposed', 'merged', 'rejected', 'unmerged'] as const

export function entities(command: Command, cli: Cli): void {
  command
    .description(
      'People and things that were talked about, as a sync found them by rules, or mnemonic analyze by a model. You decide whether two of them are one; a merge loses nothing and can be taken back.',
    )
    .addHelpText(
      'after',
      examples('entities list --type person', 'entities show "Sarah Chen"', 'entities review', 'entities merge 3f2a9c1d sarah@example.com'),
    )
  list(command.command('list', { isDefault: true }), cli)
  show(command.command('show'), cli)
  find(command.command('find'), cli)
  related(command.command('related'), cli)
  review(command.command('review'), cli)
  merge(command.command('merge'), cli)
  unmerge(command.command('unmerge'), cli)
  reject(command.command('reject'), cli)
  alias(command.command('alias'), cli)
  retype(command.command('retype'), cli)
  split(command.command('split'), cli)
}

const byAgent = (cli: Cli) => given({ agent: cli.agent() })

function list(command: Command, cli: Cli): void {
  command
    .description('Lists entities, the most often named first: people, projects and the like, then files that more than one message names.')
    .argument('[name]', 'only those of this name or address, or whose name begins so')
    .option('--type <type>', 'only of this type: person, company, project, location, event, document, pet, entity')
    .option('-n, --limit <n>', 'most lines to print (default: 50)', wholeNumber(100_000))
    .addHelpText('after', examples('entities list --type company', 'entities list sarah --json'))
    .action((name: string | undefined, { type, limit }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.list(given({ name, type, limit, agent: cli.agent() }))
        cli.out.answer(answer, () => asData(cli.out, formatEntities(answer, cli.out.columns)))
        if (answer.total === 0)
          cli.out.hint(`${(name ?? type) ? 'there is no such entity' : 'there is no entity yet'}; they are found by: mnemonic sync`)
        else if (answer.total > answer.entities.length)
          cli.out.hint(`${answer.entities.length} of ${answer.total}: raise --limit, or name a type`)
        if (answer.left_out > 0)
          cli.out.hint(
            `${plural(answer.left_out, 'file')} that one message names left out; to list them: mnemonic entities list --type document`,
          )
        return 0
      }),
    )
}

interface ShowFlags extends Flags {
  readonly asOf?: string
}

function show(command: Command, cli: Cli): void {
  command
    .description(
      'Prints one entity: what holds of it, what held before and what is only claimed, each with where it was said; then what it is called, what it may be the same as, and where it is named.',
    )
    .argument('<name...>', NAME)
    .option('--as-of <time>', 'what was true then, by what had been said by then: 2026-02-01, "last month"')
    .option('--type <type>', 'of those of that name, the one of this type')
    .option('-n, --limit <n>', 'most episodes to list (default: 5)', wholeNumber(1000))
    .addHelpText('after', examples('entities show tyler', 'entities show Sarah Chen --as-of 2026-01-15', 'entities show 3f2a9c1d --json'))
    .action((words: string[], { asOf, type, limit: episodes }: ShowFlags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.show(words.join(' '), { ...given({ asOf, type, episodes }), ...byAgent(cli) })
        const printed = () => asData(cli.out, formatEntity(answer, cli.out))
        if (cli.out.json || cli.out.forAgent) cli.out.answer(answer, printed)
        else await printPaged(cli, whole(`${printed()}\n`))
        return 0
      }),
    )
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

function find(command: Command, cli: Cli): void {
  command
    .description('Finds entities by what they are called, and behind those the ones whose name means about the same.')
    .argument('<text...>', 'a name, an address, a part of a name, or other words for it')
    .option('--type <type>', 'only of this type')
    .option('-n, --limit <n>', 'most lines to print (default: 10)', wholeNumber(1000))
    .addHelpText('after', examples('entities find postgres', 'entities find "the database" --type project --json'))
    .action((words: string[], { type, limit }: Flags) =>
      cli.run(async (mnemonic) => {
        const found = await mnemonic.findEntities(words.join(' '), { ...given({ type, limit }), like: true, ...byAgent(cli) })
        cli.out.answer({ entities: found, total: found.length }, () => asData(cli.out, formatFound(found, cli.out.columns)))
        if (found.length === 0)
          cli.out.hint('there is no such entity; they are found by: mnemonic sync, and by meaning after: mnemonic embed')
        return 0
      }),
    )
}

interface RelatedFlags extends Flags {
  readonly to?: string
  readonly depth?: number
  readonly by?: readonly string[]
}

function related(command: Command, cli: Cli): void {
  command
    .description('Lists who and what an entity has to do with, or with --to the shortest way from one to another.')
    .argument('<name...>', NAME)
    .option('--to <name>', 'the way to this one')
    .option('--depth <n>', 'steps to go, 1 to 4 (default: 1, with --to 4)', wholeNumber(4))
    .option('--by <type...>', 'only over relationships of these types: WORKS_AT KNOWS')
    .option('-n, --limit <n>', 'most lines to print (default: 500)', wholeNumber(500))
    .addHelpText(
      'after',
      examples('entities related Tyler', 'entities related Tyler --depth 2 --by WORKS_AT', 'entities related Tyler --to Nexus'),
    )
    .action((words: string[], { to, depth, by: types, limit }: RelatedFlags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.relatedEntities(words.join(' '), { ...given({ to, depth, types, limit }), ...byAgent(cli) })
        cli.out.answer(answer, () => asData(cli.out, formatRelatedEntities(answer, cli.out.columns)))
        if (to !== undefined && answer.path === null) cli.out.hint('nothing that was said leads from one to the other')
        else if (to === undefined && answer.neighbours.length === 0) cli.out.hint('nothing was said of what it has to do with')
        return 0
      }),
    )
}

interface ReviewFlags extends Flags {
  readonly status?: (typeof STATUSES)[number]
  readonly eligible?: true
  readonly list?: true
}

function review(command: Command, cli: Cli): void {
  command
    .description(
      'Pairs of entities that may be one, the surest first. At a terminal it asks: y merges, n keeps them apart for good, Enter skips.',
    )
    .option('--type <type>', 'only of this type')
    .addOption(new Option('--status <status>', 'what was decided of them (default: proposed)').choices(STATUSES))
    .option('--eligible', 'only what graph.auto_merge would apply: an address that programs wrote on both sides')
    .option('--list', 'only print them; ask nothing')
    .option('-n, --limit <n>', 'most pairs (default: 50)', wholeNumber(100_000))
    .addHelpText('after', examples('entities review', 'entities review --eligible', 'entities review --list --json'))
    .action(({ list: only, ...flags }: ReviewFlags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.review(given({ ...flags, agent: cli.agent() }))
        const asks = !only && !cli.out.json && !cli.out.forAgent && cli.io.ask !== undefined && (flags.status ?? 'proposed') === 'proposed'
        if (asks && answer.candidates.length > 0) await askEach(cli, mnemonic, answer.candidates)
        else cli.out.answer(answer, () => asData(cli.out, formatCandidates(answer, cli.out)))
        if (answer.total === 0) cli.out.hint('there is nothing to decide')
        else if (answer.total > answer.candidates.length) cli.out.hint(`${answer.candidates.length} of ${answer.total}: raise --limit`)
        if (!asks && answer.total > 0 && !cli.out.json)
          cli.out.hint('to decide: mnemonic entities merge ID INTO, or mnemonic entities reject ID ID')
        return 0
      }),
    )
}

/** Stores each decision at once: Ctrl-C loses none. */
async function askEach(cli: Cli, mnemonic: Mnemonic, candidates: readonly MergeCandidate[]): Promise<void> {
  const done = { merged: 0, rejected: 0, skipped: 0 }
  for (const [at, candidate] of candidates.entries()) {
    const { a, b } = candidate
    cli.io.stderr.write(`\n${formatCandidate(candidate, cli.out)}\n`)
    const answer = (await cli.io.ask?.(`Are they one? [y/n/Enter skips/q quits] (${at + 1} of ${candidates.length}) `))?.trim() ?? ''
    if (/^q/i.test(answer)) break
    if (/^y/i.test(answer)) {
      // Merge the entity known only by name into the one with an address. An earlier answer may already have merged them.
      const [from, into] = /^name/.test(a.known_by) || !/^name/.test(b.known_by) ? [a, b] : [b, a]
      done.merged += await decided(cli, () => mnemonic.entities.merge(from.id, into.id, byAgent(cli)))
    } else if (/^n/i.test(answer)) done.rejected += await decided(cli, () => mnemonic.entities.reject(a.id, b.id, byAgent(cli)))
    else done.skipped += 1
  }
  cli.out.answer({ ...done }, () => `${done.merged} merged, ${done.rejected} kept apart, ${done.skipped} skipped`)
}

async function decided(cli: Cli, decide: () => Promise<unknown>): Promise<number> {
  try {
    await decide()
    return 1
  } catch (error) {
    if (!(error instanceof Error) || (error as { code?: string }).code !== 'VALIDATION_ERROR') throw error
    cli.out.warn(error.message)
    return 0
  }
}

function merge(command: Command, cli: Cli): void {
  command
    .description('Makes the first a part of the second. Nothing is moved or lost: unmerge gives back exactly what was.')
    .argument('<from>', NAME)
    .argument('<into>', NAME)
    .addHelpText('after', examples('entities merge "S. Chen" sarah@example.com'))
    .action((from: string, into: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.merge(from, into, byAgent(cli))
        cli.out.answer(answer, () => `${called(answer.merged.from)} is now a part of ${called(answer.merged.into)}`)
        return 0
      }),
    )
}

function unmerge(command: Command, cli: Cli): void {
  command
    .description('Takes a part out of the entity that it was merged into.')
    .argument('<part>', 'the id of the part, as entities show lists it, or a name that only it has')
    .addHelpText('after', examples('entities unmerge 3f2a9c1d'))
    .action((part: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.unmerge(part, byAgent(cli))
        cli.out.answer(
          answer,
          () => `${called(answer.unmerged.entity)} is no longer one with ${answer.unmerged.from.map(called).join(', ')}`,
        )
        return 0
      }),
    )
}

function reject(command: Command, cli: Cli): void {
  command
    .description('Says that two are not one: they are not proposed again, and nothing joins them.')
    .argument('<one>', NAME)
    .argument('<other>', NAME)
    .addHelpText('after', examples('entities reject 3f2a9c1d 77b0e2aa'))
    .action((one: string, other: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.reject(one, other, byAgent(cli))
        cli.out.answer(answer, () => `${called(answer.rejected.a)} and ${called(answer.rejected.b)} stay two`)
        return 0
      }),
    )
}

function alias(command: Command, cli: Cli): void {
  command
    .description('Gives an entity a name or an address. A name of yours is the one that is shown.')
    .argument('<entity>', NAME)
    .argument('<alias>', 'the name, address or number')
    .addOption(
      new Option('--as <type>', 'what it is (default: as it looks: an address, a number, a @handle, else a name)').choices(ALIAS_TYPES),
    )
    .option('--remove', 'take back an alias that you gave')
    .addHelpText(
      'after',
      examples('entities alias +14155552671 Mom', 'entities alias mom mom@example.com', 'entities alias mom Mother --remove'),
    )
    .action((entity: string, value: string, { as: type, remove }: { as?: string; remove?: true }) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.alias(entity, value, { ...given({ type, remove }), ...byAgent(cli) })
        const said = answer.alias.removed ? 'is no longer known as' : 'is also known as'
        cli.out.answer(answer, () => `${called(answer.alias.entity)} ${said} ${stripControls(answer.alias.value)}`)
        return 0
      }),
    )
}

function retype(command: Command, cli: Cli): void {
  command
    .description('Says of which type an entity is, where it was taken for something else. Give the old type to take it back.')
    .argument('<entity>', NAME)
    .argument('<type>', 'person, company, project, location, event, document, pet, entity')
    .addHelpText('after', examples('entities retype 3f2a9c1d pet'))
    .action((entity: string, type: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.entities.retype(entity, type, byAgent(cli))
        const { entity: now, was } = answer.retyped
        cli.out.answer(answer, () => `${called(now)} is a ${now.type} now, no ${was}`)
        return 0
      }),
    )
}

interface SplitFlags {
  readonly take?: string[]
  readonly list?: true
  readonly undo?: true
}

function split(command: Command, cli: Cli): void {
  command
    .description(
      'Takes apart an entity that is two: what you choose goes to a new one of that name. At a terminal it asks about each observation: t takes it to the other one, Enter leaves it.',
    )
    .argument('<entity>', NAME)
    .option('--take <id...>', 'what is of the other one: ids of observations or messages, as --list prints them')
    .option('--list', 'print what was said of it, with ids; ask nothing')
    .option('--undo', 'make a part that was split off one with the whole again')
    .addHelpText(
      'after',
      examples(
        'entities split sarah',
        'entities split sarah --list',
        'entities split 3f2a9c1d --take 81c0de55 9b1e02aa',
        'entities split 7b1f20cd --undo',
      ),
    )
    .action((entity: string, { take, list: only, undo }: SplitFlags) =>
      cli.run(async (mnemonic) => {
        if (undo) {
          const answer = await mnemonic.entities.unsplit(entity, byAgent(cli))
          cli.out.answer(answer, () => `${called(answer.unsplit.part)} is one with ${called(answer.unsplit.entity)} again`)
          return 0
        }
        const said = await mnemonic.entities.places(entity, byAgent(cli))
        const asks = take === undefined && !only && !cli.out.json && !cli.out.forAgent && cli.io.ask !== undefined
        const chosen = take ?? (asks ? await askWhich(cli, said.places) : undefined)
        if (chosen === undefined) {
          cli.out.answer(said, () => asData(cli.out, formatPlaces(said.places, cli.out.columns)))
          cli.out.hint(`to split it: mnemonic entities split ${shortId(said.entity.id)} --take ID...`)
          return 0
        }
        const answer = await mnemonic.entities.split(said.entity.id, { take: chosen, ...byAgent(cli) })
        const { part, taken } = answer.split
        cli.out.answer(answer, () => `${plural(taken, 'observation')} of ${called(answer.split.entity)} went to ${called(part)}`)
        cli.out.hint(
          `to name it: mnemonic entities alias ${shortId(part.id)} "…"; to take it back: mnemonic entities split ${shortId(part.id)} --undo`,
        )
        return 0
      }),
    )
}

async function askWhich(cli: Cli, places: readonly SaidOfEntity[]): Promise<string[]> {
  const taken: string[] = []
  for (const [at, place] of places.entries()) {
    cli.io.stderr.write(`\n${formatPlaces([place], cli.out.columns)}\n`)
    const answer =
      (await cli.io.ask?.(`Is it of the other one? [t takes it/Enter leaves it/q quits] (${at + 1} of ${places.length}) `))?.trim() ?? ''
    if (/^q/i.test(answer)) break
    if (/^[ty]/i.test(answer)) taken.push(place.relationship_id)
  }
  return taken
}

function called({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${stripControls(name)} (${shortId(id)})`
}
