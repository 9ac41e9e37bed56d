import { resolve } from 'node:path'
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatRoute } from '../format/route.ts'
import { rememberAnswer } from '../last-answer.ts'

interface Flags {
  readonly folder?: string
  readonly harness?: string
  readonly limit?: number
}

export function route(command: Command, cli: Cli): void {
  command
    .description(
      'Ranks the sessions to continue with a message: by what it says, and the people, things and topics it names. Says for each how to resume it and what has changed since.',
    )
    .argument('<message...>', 'what you want to go on with, as you would say it')
    .option('--folder <dir>', 'sessions of the project of this folder come a little earlier (default: the current folder)')
    .option('--harness <name>', 'only sessions of this harness: claude-code, codex, …')
    .option('-n, --limit <n>', 'most sessions to print (default: 5)', wholeNumber(50))
    .addHelpText(
      'after',
      examples(
        'route "the retry of webhooks fails again"',
        'route --harness codex "go on with the export"',
        'route "who owns billing" --json',
      ),
    )
    .action((words: readonly string[], { folder = '.', harness, limit }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.route({
          ...{ message: words.join(' '), folder: resolve(folder) },
          ...given({ harness, limit, agent: cli.agent() }),
        })
        const ids = answer.sessions.map(({ session_id }) => session_id)
        await rememberAnswer(cli, mnemonic, ids)
        const printed = () => formatRoute(answer, { style: cli.out.style, width: cli.out.width, ours: cli.out.ours })
        cli.out.answer(answer, () => (cli.out.forAgent ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        if (ids.length === 0) cli.out.hint('begin a new session, or look for single passages: mnemonic search')
        return 0
      }),
    )
}
