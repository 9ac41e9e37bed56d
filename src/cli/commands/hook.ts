/** Help and `hook test`. Calls by harnesses never come here: see src/cli/hook/. */
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatHookTest } from '../format/hook-test.ts'

interface TestOptions {
  readonly prompt?: string
  readonly folder?: string
  readonly reason?: string
  readonly tool?: string
  readonly command?: string
  readonly file?: string
  readonly output?: string
}

const EVENTS =
  'session-start, prompt, before-tool, tool-failed, stop, session-end, pre-compact, or the harness’s own name (UserPromptSubmit)'
const HARNESSES = 'claude-code, codex, cursor, gemini-cli, openclaw or opencode'

export function hook(command: Command, cli: Cli): void {
  command
    .description(
      'Answers a hook of a harness: it reads the harness’s JSON on standard input, and prints what the harness is to add to the session, in its own form, or nothing. It never fails and never waits longer than its budget (agents.defaults.memory.read.budget_ms). mnemonic install registers it.',
    )
    .argument('[harness]', HARNESSES)
    .argument('[event]', EVENTS)
    .addHelpText('after', examples('hook claude-code prompt < payload.json', 'hook test claude-code prompt --prompt "why sqlite?"'))
    .action((harness?: string) => {
      const problem = harness === undefined ? 'which harness, and which event?' : 'a hook reads the JSON of its harness on standard input'
      throw new MnemonicError('USAGE', problem, {
        hint: 'To see what would be injected: mnemonic hook test claude-code prompt --prompt "…"',
      })
    })
  command
    .command('test')
    .description('Shows what a hook would inject, and how long each step takes. Starts no worker and leaves no task.')
    .argument('<harness>', HARNESSES)
    .argument('<event>', EVENTS)
    .option('--prompt <text>', 'what the person types')
    .option('--folder <dir>', 'the folder of the session (default: the current one)')
    .option('--reason <word>', 'why: startup, resume, clear or compact at a start')
    .option('--tool <name>', 'of a tool call: the tool (default: Bash, or Edit with --file)')
    .option('--command <text>', 'of a tool call: the command')
    .option('--file <path>', 'of a tool call: the file that it changes')
    .option('--output <text>', 'of a failed tool call: what it printed')
    .addHelpText(
      'after',
      examples(
        'hook test claude-code prompt --prompt "how did we fix the login?"',
        'hook test claude-code tool-failed --command "npm test" --output "Error: …"',
      ),
    )
    .action((harness: string, event: string, options: TestOptions) =>
      cli.run(async (mnemonic) => {
        const { prompt, folder = process.cwd(), reason, tool, command, file, output } = options
        const answer = await mnemonic.testHook({
          harness,
          event,
          folder,
          ...given({ prompt, reason, tool, command, file, output, agent: cli.agent() }),
        })
        cli.out.answer(answer, () => formatHookTest(answer))
        return 0
      }),
    )
}
