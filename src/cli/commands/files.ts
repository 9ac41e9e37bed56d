import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { collect, examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { filesForAgent, formatFiles } from '../format/files.ts'
import { rememberAnswer } from '../last-answer.ts'

interface Flags {
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly project?: string
  readonly session?: string
  readonly source?: readonly string[]
  readonly action?: 'read' | 'edit' | 'create' | 'delete'
  readonly branches?: true
  readonly limit?: number
}

export function files(command: Command, cli: Cli): void {
  command
    .description(
      'Lists the files that tool calls read, edited, created or deleted: a line for each file and session, the last touched first. Calls that failed touched nothing.',
    )
    .argument('[glob]', 'a name (explain.go), the end of a path (cli/explain.go) or a glob ("src/**/*.ts"); all files without it')
    .option('--after <time>', 'only what was done from this time on: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--before <time>', 'only what was done before this time')
    .option('--since <time>', 'the same as --after')
    .option('--until <time>', 'the same as --before')
    .option('--project <name>', 'only in sessions of this project: its name, a path, a remote, or . for this folder')
    .option('--session <id>', 'only in this session: id, label, or a unique prefix')
    .option('--source <name>', 'only from this source (claude-code, codex …); may be repeated', collect)
    .addOption(new Option('--action <what>', 'only files to which this was done').choices(['edit', 'read', 'create', 'delete']))
    .option('--branches', 'include abandoned branches')
    .option('-n, --limit <n>', 'most lines to print (default: 20)', wholeNumber(10_000))
    .addHelpText(
      'after',
      examples(
        'files explain.go',
        "files '**/*.sql' --action edit",
        'files --session c010174c',
        'files --project cli --after "1 week ago"',
      ),
    )
    .action((glob: string | undefined, { source, ...flags }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.files(given({ ...flags, glob, sources: source, agent: cli.agent() }))
        cli.out.answer(answer, () => (cli.out.forAgent ? filesForAgent(answer) : formatFiles(answer, cli.out.width)))
        if (cli.out.forAgent) {
          await rememberAnswer(
            cli,
            mnemonic,
            answer.files.map(({ id }) => id),
          )
          return 0
        }
        if (answer.files.length === 0) cli.out.hint('no file was touched; to import sessions: mnemonic sync')
        else if (answer.total > answer.files.length)
          cli.out.hint(`${answer.files.length} of ${answer.total}: raise --limit, or give a glob`)
        return 0
      }),
    )
}
