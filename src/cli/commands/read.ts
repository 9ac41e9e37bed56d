/** `mnemonic sessions`: which sessions there are. */
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
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
  readonly subagents?: true
}

/** `mnemonic sessions`: the sessions in the ledger, newest first. */
export function sessions(command: Command, cli: Cli): void {
  command
    .description('Lists the sessions in the ledger, newest first.')
    .option('--limit <n>', 'most sessions to print', wholeNumber(10_000), 20)
    .option('--project <path>', 'only sessions of this project')
    .option('--source <name>', 'only from this source (claude-code, chatgpt …)')
    .option('--after <time>', 'only with a message from this time on')
    .option('--before <time>', 'only with a message before this time')
    .option('--subagents', 'include sessions of subagents')
    .addHelpText('after', examples('sessions', 'sessions --project ~/code/harbor --after "1 month ago"', 'sessions --subagents --json'))
    .action((options: SessionsFlags) =>
      cli.run(async (mnemonic) => {
        if (cli.out.forAgent)
          return (await import('./for-agent.ts')).sessionsForAgents(mnemonic, cli, given({ ...options, agent: cli.agent() }))
        const found = await mnemonic.sessions(given({ ...options, agent: cli.agent() }))
        cli.out.answer({ sessions: found }, () => formatSessions(found, cli.out.width))
        await rememberAnswer(
          cli,
          mnemonic,
          found.map(({ session_id }) => session_id),
        )
        if (found.length === 0) cli.out.hint('no session found; to import sessions: mnemonic sync')
        return 0
      }),
    )
}
