/** `mnemonic search`: filters from the command line into one library call, hits for people or as JSON. */
import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { Mnemonic, SearchFilters } from '../../library/index.ts'
import { collect, examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSearch } from '../format/search.ts'

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
  readonly limit?: number
  readonly branches?: true
  readonly explain?: true
  readonly batch?: string
}

const LIMIT = 200

export function search(command: Command, cli: Cli): void {
  command
    .description(
      'Finds what was said, with date, speaker and session. The query is plain text; quotes make a phrase, nothing else is special.',
    )
    .argument('[query...]', 'words or a question')
    .option('--after <time>', 'from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--speaker <who>', 'only what was said by user, assistant, or a name')
    .option('--project <name>', 'only sessions of this project: its name, path or remote; . is that of this folder')
    .option('--session <id>', 'only this session: id, label, or a unique prefix')
    .option('--topic <tag>', 'only this topic; may be repeated', collect)
    .option('--has-decision', 'only where something was decided')
    .addOption(new Option('--ledger <name>', 'only this ledger').choices(['agents', 'events']))
    .option('--source <name>', 'only from this source (claude-code, jsonl …); may be repeated', collect)
    .option('--limit <n>', 'most hits to print (default: search.limit in config.yaml, else 10)', wholeNumber(LIMIT))
    .option('--branches', 'include abandoned branches')
    .option('--explain', 'print the parts of every score')
    .option(
      '--batch <file>',
      'read many queries, one JSON object a line ({ id, query, filters, limit }), and print one answer a line; - is stdin',
    )
    .addHelpText(
      'after',
      examples(
        'search "what did Jason say about posting frequency" --speaker Jason',
        'search ERR_PAYMENT_402',
        'search retry policy --after "2 weeks ago" --has-decision',
        'search --batch queries.jsonl --json',
      ),
    )
    .action((words: string[], options: Options) => {
      const { batch } = options
      if ((batch === undefined) === (words.length === 0)) throw queryOrBatch(batch)
      return cli.run(async (mnemonic) => {
        if (batch === undefined) return searchOnce(mnemonic, cli, { query: words.join(' '), options })
        const { searchBatch } = await import('./search-batch.ts')
        return searchBatch(mnemonic, cli, { file: batch, ...defaults(cli, options) })
      })
    })
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

/** What the options of the command line say of every search. */
function defaults(cli: Cli, options: Options): { filters: SearchFilters; limit?: number; explain?: boolean } {
  const { after, before, since, until, speaker, project, session, topic, hasDecision, ledger, source, limit, branches, explain } = options
  const filters: SearchFilters = given({
    ...{ after, before, since, until, speaker, project, session, ledger, branches, agent: cli.agent() },
    topics: topic,
    sources: source,
    has_decision: hasDecision,
  })
  return { filters, ...given({ limit, explain }) }
}

async function searchOnce(
  mnemonic: Mnemonic,
  cli: Cli,
  { query, options }: { readonly query: string; readonly options: Options },
): Promise<0> {
  const answer = await mnemonic.search({ query, ...defaults(cli, options) })
  const { style, width } = cli.out
  cli.out.answer(answer, () => formatSearch(answer, { style, width, now: Date.now() }))
  const [best] = answer.results
  if (answer.last_sync === null) cli.out.hint('nothing is imported yet: mnemonic sync')
  else if (best !== undefined && !cli.out.json) cli.out.hint(`read on: mnemonic show ${best.turn_id || best.path}`)
  return 0
}
