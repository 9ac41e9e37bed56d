import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { asksForHistory } from '../../core/state-question.ts'
import { historyText, type Mnemonic, type SearchAnswer, type SearchFilters } from '../../library/index.ts'
import { collect, examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSearch, type Look, shownHits } from '../format/search.ts'
import { nearerDay } from '../format/search-notes.ts'
import { rememberAnswer } from '../last-answer.ts'

interface Options {
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly speaker?: string
  readonly project?: string
  readonly session?: string
  readonly topic?: readonly string[]
  readonly hasDecision?: true
  readonly ledger?: 'agents' | 'events'
  readonly source?: readonly string[]
  readonly channel?: string
  readonly from?: string
  readonly to?: string
  readonly with?: string
  readonly entity?: string
  readonly limit?: number
  readonly branches?: true
  readonly file?: string
  readonly tool?: string
  readonly command?: string
  readonly errors?: true
  readonly explain?: true
  readonly also?: readonly string[]
  readonly exact?: true
  readonly nearest?: true
  readonly history?: true
  readonly batch?: string
  readonly interactive?: true
  readonly flat?: true
  readonly short?: true
  readonly sessions?: true
  readonly context?: number
}

const LIMIT = 200
const MOST_SENTENCES = 50

const EXAMPLES = [
  'search "what did Jason say about posting frequency" --speaker Jason',
  'search ERR_PAYMENT_402 --flat --context 3',
  'search \'"exit status 128"\'',
  "search --file '**/explain.go' --after 2026-10-01",
  'search --errors --project cli',
  'search "launch date" --with Sarah --after 2026-10-01',
  'search "why is the login slow" --also "auth latency"',
  'search retry policy --after "2 weeks ago" --has-decision',
  'search --batch queries.jsonl --json',
  'search -i retry policy',
]

export function search(command: Command, cli: Cli): void {
  command
    .description(
      'Finds what was said: a block for each session or conversation, with the sentences that answer. The query is plain text; quotes make a phrase, nothing else is special.',
    )
    .argument('[query...]', 'words or a question')
    .optionsGroup('What to look for:')
    .option('--also <text>', 'the same question in other words, searched too; may be repeated, at most eight times', collect)
    .option('--after <time>', 'from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--speaker <who>', 'only what was said by user, assistant, or a name')
    .option('--project <name>', 'only sessions of this project: its name, path or remote; . is that of this folder')
    .option('--session <id>', 'only this session: id, label, or a unique prefix')
    .option('--topic <tag>', 'only this topic; may be repeated', collect)
    .option('--has-decision', 'only where something was decided')
    .addOption(
      new Option(
        '--ledger <name>',
        'only this ledger: agents is sessions, events is messages, mail, meetings and the turns of sessions',
      ).choices(['agents', 'events']),
    )
    .option('--channel <name>', 'only from imessage, gmail, calendar or a harness')
    .option('--from <person>', 'only messages, mails and meetings from them: a name, address or number, or me')
    .option('--to <person>', 'only what was sent to them')
    .option('--with <person>', 'only where they take part')
    .option('--entity <name>', 'only what names this person, project or thing, and what that person sent or received')
    .option('--source <name>', 'only from this source (claude-code, jsonl …); may be repeated', collect)
    .option('--file <glob>', 'only tool calls that touched such a file: explain.go, "src/**/*.ts"')
    .option('--tool <name>', 'only calls of this tool: Bash, Edit, apply_patch …')
    .option('--command <text>', 'only calls whose command holds these words')
    .option('--errors', 'only tool calls that failed; without a query the newest of them')
    .option('--branches', 'include abandoned branches')
    .option('--exact', 'search for every word as it is typed: typing errors are not corrected')
    .option('--nearest', 'find what is only near in meaning, too, where no word of the query occurs or the search is exact')
    .optionsGroup('How it is shown:')
    .option('-i, --interactive', 'type to search, with a preview; choose a hit to show, open or resume it')
    .option(
      '-n, --limit <n>',
      'most sessions, with --flat, --short and --json most hits (default: search.limit in config.yaml, else 10)',
      wholeNumber(LIMIT),
    )
    .option('--flat', 'every hit by itself, with who said it and why it was found')
    .option('--short', 'a line for each hit')
    .option('-l, --sessions', 'a line for each session')
    .option(
      '--history',
      'the sessions in order of time, a sentence each, up to where relevance ends; so are "how often did we …" and "history of …"',
    )
    .option('--context <n>', 'n more sentences before and after each excerpt, as they were written', wholeNumber(MOST_SENTENCES))
    .option('--explain', 'print the parts of every score')
    .optionsGroup('For programs:')
    .option(
      '--batch <file>',
      'read many queries, one JSON object a line ({ id, query, queries, filters, limit }), and print one answer a line; - is stdin',
    )
    .optionsGroup('Options:')
    .addHelpText('after', examples(...EXAMPLES))
    .action(async (words: string[], options: Options) => {
      const { batch, interactive } = options
      if (interactive) return pickHit(cli, words.join(' '), options)
      const { also, file, tool, command, errors, channel, from, to, with: person, entity } = options
      const listed = also ?? file ?? tool ?? command ?? errors ?? channel ?? from ?? to ?? person ?? entity
      if (batch === undefined ? words.length === 0 && listed === undefined : words.length > 0) throw queryOrBatch(batch)
      const look = lookOf(options)
      return cli.run(async (mnemonic) => {
        if (batch === undefined) return searchOnce(mnemonic, cli, { query: words.join(' '), options, look })
        const { searchBatch } = await import('./search-batch.ts')
        return searchBatch(mnemonic, cli, { file: batch, ...defaults(cli, options) })
      })
    })
}

async function pickHit(cli: Cli, query: string, options: Options): Promise<void> {
  if (options.batch !== undefined) throw queryOrBatch(options.batch)
  const { requireTerminal, searchInteractive } = await import('./search-interactive.ts')
  requireTerminal(cli)
  return cli.run((mnemonic) => searchInteractive(cli, mnemonic, { query, filters: defaults(cli, options).filters }))
}

function queryOrBatch(batch: string | undefined): MnemonicError {
  return new MnemonicError(
    'USAGE',
    batch === undefined ? "missing required argument 'query'" : '--batch reads its queries from the file: give no other query',
    {
      details: { option: '--batch' },
      hint: 'mnemonic search --help',
    },
  )
}

function defaults(
  cli: Cli,
  options: Options,
): { filters: SearchFilters; limit?: number; explain?: boolean; exact?: boolean; nearest?: boolean } {
  const {
    after,
    before,
    since,
    until,
    speaker,
    project,
    session,
    topic,
    hasDecision,
    ledger,
    source,
    limit,
    branches,
    explain,
    exact,
    nearest,
  } = options
  const { file, tool, command, errors, channel, from, to, with: person, entity } = options
  const filters: SearchFilters = given({
    ...{ after, before, since, until, speaker, project, session, ledger, branches, agent: cli.agent() },
    ...{ file, tool, command, errors, channel, from, to, with: person, entity },
    topics: topic,
    sources: source,
    has_decision: hasDecision,
  })
  return { filters, ...given({ limit, explain, exact, nearest }) }
}

function lookOf({ flat, short, sessions, context, history }: Options): Look {
  const given = [
    flat && '--flat',
    short && '--short',
    sessions && '-l',
    history && '--history',
    context !== undefined && (short || sessions) && '--context',
  ]
  const asked = given.filter((option) => typeof option === 'string')
  if (asked.length > 1) {
    throw new MnemonicError('USAGE', `${asked.join(' and ')} do not go together`, {
      details: { option: asked.at(-1) },
      hint: 'Give one of --flat, --short and -l, or none of them for a block a session; --context goes with blocks and --flat.',
    })
  }
  return flat ? 'flat' : short ? 'short' : sessions ? 'sessions' : 'blocks'
}

function countedBy(look: Look, json: boolean): 'hit' | 'session' {
  return look === 'sessions' || (look === 'blocks' && !json) ? 'session' : 'hit'
}

interface Asked {
  readonly query: string
  readonly options: Options
  readonly look: Look
}

async function searchOnce(mnemonic: Mnemonic, cli: Cli, { query, options, look }: Asked): Promise<0> {
  const asked = defaults(cli, options)
  const phrasings = { ...(query === '' && options.also ? {} : { query }), ...given({ queries: options.also }) }
  const history = options.history || (!cli.out.json && look === 'blocks' && asksForHistory(query))
  if (cli.out.forAgent)
    return (await import('./for-agent.ts')).searchForAgents(mnemonic, cli, {
      ...phrasings,
      ...asked,
      ...(history ? { by: 'history' } : {}),
    })
  const by = history ? 'history' : countedBy(look, cli.out.json)
  const found = await mnemonic.search({ ...phrasings, ...asked, by, here: process.cwd() })
  if (found.left_off !== undefined && found.results.length === 0 && found.left_off.state !== null)
    return (await import('./left-off.ts')).printLeftOff(cli, mnemonic, { left: found.left_off, document: found })
  const { style, width, isTTY } = cli.out
  const answer = cli.out.json || options.limit !== undefined || look !== 'blocks' || history ? found : asMuchAsHelps(found, cli, options)
  const shown = shownHits(answer, look)
  const [best] = shown
  const more = found.groups.length > answer.groups.length ? ` · all ${found.groups.length}: -n ${found.groups.length}` : ''
  const next =
    best && isTTY ? [`mnemonic show 1 · open 1 · resume 1${more}`, `mnemonic show 1${more}`, `mnemonic show 1`].map(cli.out.ours) : []
  const within = withinOf(asked.filters)
  const { context } = options
  const note = found.history === undefined ? '' : `${await historyText(found.history)}:\n`
  cli.out.answer(found, () => note + formatSearch(answer, { look, style, width, now: Date.now(), within, next, ...given({ context }) }))
  await rememberAnswer(
    cli,
    mnemonic,
    shown.map(({ turn_id, path }) => turn_id || path),
  )
  if (answer.last_sync === null)
    cli.out.hint((await import('../format/never-synced.ts')).neverSynced(answer.mode.realized === 'lexical: nothing indexed yet'))
  else if (answer.hint !== undefined) cli.out.hint(answer.hint)
  else if (best === undefined) cli.out.hint(nothingFound(answer, within))
  return 0
}

/** Most hits if only meaning matched: more would hide that no word did. */
const NEAREST = 3
const OTHER_LINES = 3

/** Drops the last blocks so that number 1 stays on the screen. JSON, --limit and pipes get all. */
function asMuchAsHelps(found: SearchAnswer, { io, out }: Cli, { context, explain }: Options): SearchAnswer {
  const isGuess = found.matched === 'meaning' || found.matched === 'none'
  const first = (count: number): SearchAnswer => ({ ...found, groups: found.groups.slice(0, count) })
  const most = first(isGuess ? NEAREST : found.groups.length)
  if (!out.isTTY || !io.rows || context !== undefined || explain) return most
  const format = { look: 'blocks', style: out.style, width: out.width, now: Date.now() } as const
  let count = most.groups.length
  while (count > NEAREST && formatSearch(first(count), format).split('\n').length > io.rows - OTHER_LINES) count -= 1
  return first(count)
}

function nothingFound({ mode, listed, left_out }: SearchAnswer, within: readonly string[]): string {
  const near = listed?.nearest === undefined ? null : nearerDay(listed.nearest, listed)
  if (near !== null) return `the nearest day with something: mnemonic timeline ${near}`
  if (left_out?.nearest) return `${left_out.text}${within.length > 0 ? ' with these filters' : ''}; what is nearest in meaning: --nearest`
  if (within.length > 0) return 'nothing found with these filters: leave one out, or try other words'
  const words = 'nothing found: try fewer or other words, or add some with --also TEXT'
  return mode.realized === 'lexical: no vectors yet' ? `${words}; mnemonic embed lets search find by meaning, too` : words
}

function withinOf(filters: SearchFilters): string[] {
  const plain = (
    [
      ...([
        'project',
        'session',
        'speaker',
        'channel',
        'from',
        'to',
        'with',
        'entity',
        'ledger',
        'after',
        'before',
        'since',
        'until',
      ] as const),
      ...(['file', 'tool', 'command'] as const),
    ] as const
  ).flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [`${name} ${value}`]
  })
  const lists = [...(filters.sources ?? []).map((name) => `source ${name}`), ...(filters.topics ?? []).map((tag) => `topic ${tag}`)]
  return [
    ...plain,
    ...lists,
    ...(filters.has_decision ? ['decisions'] : []),
    ...(filters.errors ? ['errors'] : []),
    ...(filters.branches ? ['with branches'] : []),
  ]
}
