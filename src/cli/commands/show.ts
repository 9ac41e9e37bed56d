import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { Mnemonic, ShowOptions } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatPages, formatShow, type ShowFormat } from '../format/show.ts'
import { type NumberedHit, numberedHit } from '../last-answer.ts'
import { printPaged } from '../pager.ts'

interface ShowFlags {
  readonly raw?: true
  readonly branches?: true
  readonly tools?: true
  readonly tree?: true
  readonly outline?: true
  readonly last?: number
  readonly around?: number
  readonly budget?: number
  readonly from?: number
  readonly to?: number
  readonly tail?: number
  readonly lines?: number
  readonly pager: boolean
}

const MOST_TURNS = 1_000_000

export function show(command: Command, cli: Cli): void {
  command
    .description('Prints the session, turn or document that the id names. Secrets are redacted. A long text is shown in a pager.')
    .argument(
      '<id...>',
      'a number of the last answer; a session, turn or message: short id (c010174c:7, turns c010174c:5-9), full id, native id, label, or a unique prefix of at least six characters; a conversation: e:3f2a1c9d, or the id of its thread; or a document: its path, a wikilink to it, or a citation of a search; several are read in the form for agents, within one budget',
    )
    .option('--raw', 'do not redact; works on a terminal only')
    .option('--branches', 'include turns on abandoned branches')
    .option('--tools', 'print parameters and results of tool calls in full')
    .addOption(new Option('--outline', 'a line a turn: id, time, first words of the prompt, tool calls').conflicts('tools'))
    .addOption(new Option('--last <n>', 'only the last turns').argParser(wholeNumber(MOST_TURNS)))
    .addOption(
      new Option('--around <n>', 'with a turn: so many turns before and after it too').argParser(wholeNumber(MOST_TURNS)).conflicts('last'),
    )
    .addOption(
      new Option('--tree', 'print the tree of subagents that the session belongs to, instead of its text').conflicts([
        'outline',
        'last',
        'around',
      ]),
    )
    .option(
      '--budget <tokens>',
      'at most so many tokens, in the form for agents; there 600 when absent, 200 of a hit by its number',
      wholeNumber(MOST_TURNS),
    )
    .option('--from <n>', 'in the form for agents: go on from this line, of a session from this turn', wholeNumber(MOST_TURNS))
    .addOption(
      new Option('--to <n>', 'in the form for agents: what fits before this line, and the line; with --from up to it').argParser(
        wholeNumber(MOST_TURNS),
      ),
    )
    .addOption(
      new Option('--tail <n>', 'in the form for agents: the last lines, of a session the last turns')
        .argParser(wholeNumber(MOST_TURNS))
        .conflicts(['from', 'to']),
    )
    .option('--lines <n>', 'in the form for agents: at most so many lines', wholeNumber(MOST_TURNS))
    .option('--no-pager', 'print at once, also what is longer than the screen (MNEMONIC_PAGER or PAGER: the pager; default less)')
    .addHelpText(
      'after',
      examples(
        'show 1',
        'show c010174c:7 --around 2',
        'show c010174c:5-9 --tools',
        'show c010174c:7 --budget 400',
        'show c010174c:7 --tail 20',
        'show 1 2 3 --budget 900',
        'show c010174c --outline',
        'show c010174c --last 3',
        'show content-plan-october',
        'show c010174c --tree',
        'show MEMORY.md',
      ),
    )
    .action(async (texts: string[], { tools, pager, budget, from, to, tail, lines, ...options }: ShowFlags) => {
      if (options.raw && !cli.out.isTTY) throw rawRefused()
      const { around, ...others } = options
      // Tools, trees, branches and the last turns have the same form for everybody.
      const forAgent = cli.out.forAgent && !tools && Object.keys(others).length === 0
      await cli.run(async (mnemonic) => {
        const hits = texts.map((text) => numberedHit(cli, mnemonic, text))
        const { name: id } = hits[0] as NumberedHit
        const isForAgent = forAgent || hits.length > 1 || [budget, from, to, tail, lines].some((one) => one !== undefined)
        if (hits.length > 1 && (tools || Object.keys(others).length > 0)) throw severalRefused()
        if (isForAgent) {
          const part = given({ budget, from, to, tail, lines, around })
          return (await import('./for-agent.ts')).showForAgents(
            mnemonic,
            cli,
            hits.map((hit) => ({ ...hit, ...part })),
          )
        }
        const { style, width, isTTY, json } = cli.out
        const format = { style, width, now: Date.now(), tools: tools === true, strict: isTTY }
        if (json) {
          const answer = await mnemonic.show(id, options)
          cli.out.answer(answer, () => formatShow(answer, format))
        } else {
          await printPaged(cli, await shownText(mnemonic, id, options, format), { plain: !pager })
        }
        return 0
      })
    })
}

/** Sessions are read page by page while printing: they may be very long. */
export async function shownText(mnemonic: Mnemonic, id: string, options: ShowOptions, format: ShowFormat): Promise<AsyncIterable<string>> {
  const { tree, outline, ...window } = options
  const answer = tree || outline ? await mnemonic.show(id, options) : await mnemonic.showPages(id, window)
  return 'pages' in answer ? formatPages(answer, format) : whole(`${formatShow(answer, format)}\n`)
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

function severalRefused(): MnemonicError {
  return new MnemonicError('USAGE', 'several ids are read as text alone, up to a budget', {
    details: { option: 'id' },
    hint: 'Give one id, or only --budget, --from, --to, --tail, --lines and --around.',
  })
}

function rawRefused(): MnemonicError {
  return new MnemonicError('USAGE', '--raw prints secrets as they are, so it works on a terminal only', {
    details: { option: '--raw' },
    hint: 'Leave out --raw to get the redacted text, or run it in a terminal without a pipe.',
  })
}
