/** Reading the ledger: sessions, show. */
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSessions } from '../format/sessions.ts'
import { formatShow } from '../format/show.ts'

interface SessionsFlags {
  readonly limit: number
  readonly project?: string
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly subagents?: true
}

/** `mnemonic sessions`: the sessions in the ledger, newest first. */
export function sessions(command: Command, cli: Cli): void {
  command
    .description('Lists the sessions in the ledger, newest first.')
    .argument('[text...]', 'only with these words in title, project, label or first prompt')
    .option('-n, --limit <n>', 'most sessions to print', wholeNumber(10_000), 20)
    .option('--project <name>', 'only sessions of this project: its name, path or remote; . is that of this folder')
    .option('--source <name>', 'only from this source (claude-code, chatgpt …)')
    .option('--after <time>', 'only with a message from this time on')
    .option('--before <time>', 'only with a message before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--subagents', 'include sessions of subagents')
    .addHelpText(
      'after',
      examples(
        'sessions',
        'sessions retry policy',
        'sessions --project . --since "last month"',
        'sessions --project ~/code/harbor --after "1 month ago"',
        'sessions --subagents --json',
      ),
    )
    .action((words: string[], options: SessionsFlags) =>
      cli.run(async (mnemonic) => {
        const text = words.length === 0 ? undefined : words.join(' ')
        const found = await mnemonic.sessionList(given({ ...options, text, agent: cli.agent() }))
        cli.out.answer(found, () => formatSessions(found, cli.out.width))
        if (found.total === 0) cli.out.hint('no session found; to import sessions: mnemonic sync')
        return 0
      }),
    )
}

interface ShowFlags {
  readonly raw?: true
  readonly branches?: true
  readonly tools?: true
  readonly tree?: true
}

/** `mnemonic show`: a session, a turn or a document, redacted. The raw text is shown to a person at a terminal only. */
export function show(command: Command, cli: Cli): void {
  command
    .description('Prints the session, turn or document that the id names. Secrets are redacted.')
    .argument(
      '<id>',
      'a session, turn or message: full id, native id, label, or a unique prefix of at least six characters; or a document: its path, a wikilink to it, or a citation of a search',
    )
    .option('--raw', 'do not redact; works on a terminal only')
    .option('--branches', 'include turns on abandoned branches')
    .option('--tools', 'print parameters and results of tool calls in full')
    .option('--tree', 'print the tree of subagents that the session belongs to, instead of its text')
    .addHelpText(
      'after',
      examples('show c462ed', 'show content-plan-october', 'show c462ed --tools', 'show c462ed --tree', 'show MEMORY.md'),
    )
    .action(async (id: string, { raw, branches, tools, tree }: ShowFlags) => {
      if (raw && !cli.out.isTTY) throw rawRefused()
      await cli.run(async (mnemonic) => {
        const answer = await mnemonic.show(id, given({ raw, branches, tree }))
        const { style, width } = cli.out
        cli.out.answer(answer, () => formatShow(answer, { style, width, now: Date.now(), tools: tools === true }))
        return 0
      })
    })
}

function rawRefused(): MnemonicError {
  return new MnemonicError('USAGE', '--raw prints secrets as they are, so it works on a terminal only', {
    details: { option: '--raw' },
    hint: 'Leave out --raw to get the redacted text, or run it in a terminal without a pipe.',
  })
}
