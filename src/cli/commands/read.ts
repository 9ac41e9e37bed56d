import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import type { SessionsRequest } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSessions } from '../format/sessions.ts'
import { rememberAnswer } from '../last-answer.ts'

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
        const asked = given({ ...options, text, agent: cli.agent() })
        if (cli.out.forAgent) return (await import('./for-agent.ts')).sessionsForAgents(mnemonic, cli, asked)
        const found = await mnemonic.sessionList(asked)
        cli.out.answer(found, () => formatSessions(found, cli.out.columns))
        await rememberAnswer(
          cli,
          mnemonic,
          found.sessions.map(({ session_id }) => session_id),
        )
        if (found.total === 0) cli.out.hint(noSession(asked))
        return 0
      }),
    )
}

function noSession({ text, limit: _, agent: __, ...filters }: SessionsRequest): string {
  if (text !== undefined) return `no session is called anything like it; to search what was said: mnemonic search ${JSON.stringify(text)}`
  return Object.keys(filters).length > 0 ? 'no session passes these filters' : 'no session found; to import sessions: mnemonic sync'
}
