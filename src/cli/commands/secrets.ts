import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatSecrets } from '../format/secrets.ts'

interface Flags {
  readonly kind?: string
  readonly project?: string
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
}

export function secrets(command: Command, cli: Cli): void {
  command
    .description(
      'Lists the passwords, keys and tokens in your sessions, mail and messages that redaction hides: kind, place and log file, never the value.',
    )
    .option('--kind <kind>', 'only this kind: github-token, private-key, password …')
    .option('--project <name>', 'only in sessions of this project: its name, a path, a remote, or . for this folder')
    .option('--source <name>', 'only from this source: claude-code, codex, gmail …')
    .option('--after <time>', 'only what was said from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'only what was said before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('-n, --limit <n>', 'most places to print (default: 50)', wholeNumber(10_000))
    .addHelpText('after', examples('secrets', 'secrets --kind private-key', 'secrets --project cli --after "1 month ago" --json'))
    .action((flags: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await cli.job((hooks) => mnemonic.secrets(given({ ...flags, agent: cli.agent(), ...hooks })))
        cli.out.answer(answer, () => asData(cli.out, formatSecrets(answer, cli.out.width)))
        if (answer.total === 0) cli.out.hint('redaction finds no secret here')
        else {
          if (answer.total > answer.secrets.length) cli.out.hint(`${answer.secrets.length} of ${answer.total}: raise --limit`)
          cli.out.hint(
            'rotate each secret where it was issued, delete it from the log file, then remove it here: mnemonic forget --session ID (or --match)',
          )
        }
        return 0
      }),
    )
}
