/** `mnemonic sessions`: the sessions in the ledger, newest first. */
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSessions } from '../format/sessions.ts'

interface Options {
  readonly limit: number
  readonly project?: string
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly subagents?: true
}

export function define(command: Command, cli: Cli): void {
  command
    .description('Lists the sessions in the ledger, newest first.')
    .option('--limit <n>', 'at most so many', wholeNumber(10_000), 20)
    .option('--project <path>', 'only sessions of this project')
    .option('--source <name>', 'only from this source (claude-code, chatgpt …)')
    .option('--after <time>', 'with a message from this time on')
    .option('--before <time>', 'with a message before this time')
    .option('--subagents', 'subagent sessions too')
    .addHelpText('after', examples('sessions', 'sessions --project ~/code/harbor --after "1 month ago"', 'sessions --subagents --json'))
    .action((options: Options) =>
      cli.run(async (mnemonic) => {
        const sessions = await mnemonic.sessions(given({ ...options, agent: cli.agent() }))
        cli.out.answer({ sessions }, () => formatSessions(sessions, cli.out.width))
        if (sessions.length === 0) cli.out.hint('no session here; if nothing is imported yet: mnemonic sync')
        return 0
      }),
    )
}
