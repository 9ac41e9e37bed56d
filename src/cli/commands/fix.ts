import { StringDecoder } from 'node:string_decoder'
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatFix, formatFriction, formatHow } from '../format/fixes.ts'
import { rememberAnswer } from '../last-answer.ts'

const MOST = 200
const END = 256 * 1024

interface Flags {
  readonly project?: string
  readonly limit?: number
}

export function how(command: Command, cli: Cli): void {
  command
    .description(
      'Shows how something is run in a project: the forms of the command that passed, with folder, environment variables, how often and when last, and what the failing forms lacked. From tool calls of past sessions.',
    )
    .argument('<what...>', 'tests, integration tests, lint, release, a program such as mise')
    .option('--project <name>', 'its name, its remote or its folder; that of the current folder if left out')
    .addHelpText('after', examples('how tests', 'how are the integration tests run', 'how mise --project entireio/cli'))
    .action((words: string[], { project }: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.fixes.how(words.join(' '), given({ project, agent: cli.agent() }))
        cli.out.answer(answer, () => asData(cli.out, formatHow(answer)))
        if (answer.passed.length + answer.failed.length + answer.tasks.length === 0)
          cli.out.hint('no session ran such a command in this project; all that is known of it: mnemonic project')
        return 0
      }),
    )
}

export function fix(command: Command, cli: Cli): void {
  command
    .description(
      'Shows where an error occurred before, in the sessions of all harnesses, and what was done between the failure and the next success of the same command: edits, commands, the cause that was named. What failed again after is not shown.',
    )
    .argument('<text...>', 'the error; - reads it from standard input')
    .option('--project <name>', 'only in this project: its name, its remote or its folder')
    .option('--limit <n>', 'most sessions; default: 10', wholeNumber(MOST))
    .addHelpText(
      'after',
      examples('fix "pathspec did not match any files"', 'fix - < build.log', 'fix "command not found: mise" --project .'),
    )
    .action((words: string[], flags: Flags) =>
      cli.run(async (mnemonic) => {
        const text = words.length === 1 && words[0] === '-' ? await readInput() : words.join(' ')
        const answer = await mnemonic.fixes.find(text, given({ ...flags, agent: cli.agent() }))
        await rememberAnswer(
          cli,
          mnemonic,
          answer.occurrences.map(({ id, session_id }) => id ?? session_id),
        )
        cli.out.answer(answer, () => asData(cli.out, formatFix(answer)))
        if (answer.occurrences.length === 0) cli.out.hint('no session had this error; other words: mnemonic search --errors')
        return 0
      }),
    )
}

export function friction(command: Command, cli: Cli): void {
  command
    .description(
      'Lists errors that came back in three or more sessions, with what they cost in turns and calls, and whether a fix is known.',
    )
    .option('--project <name>', 'only in this project: its name, its remote or its folder')
    .option('--limit <n>', 'most errors; default: 20', wholeNumber(MOST))
    .addHelpText('after', examples('friction', 'friction --project .', 'friction --json'))
    .action((flags: Flags) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.fixes.friction(given({ ...flags, agent: cli.agent() }))
        cli.out.answer(answer, () => asData(cli.out, formatFriction(answer)))
        if (answer.total === 0) cli.out.hint('no error came back in three sessions')
        return 0
      }),
    )
}

async function readInput(): Promise<string> {
  const decoder = new StringDecoder('utf8')
  let head = ''
  let tail = ''
  let isCut = false
  try {
    for await (const chunk of process.stdin) {
      const text = decoder.write(chunk as Buffer)
      const room = END - head.length
      head += text.slice(0, room)
      tail += text.slice(Math.max(0, room))
      if (tail.length > 2 * END) {
        tail = tail.slice(-END)
        isCut = true
      }
    }
  } catch (cause) {
    throw new MnemonicError('SOURCE_UNREADABLE', 'cannot read the error from stdin', { cause })
  }
  return isCut ? `${head.slice(0, head.lastIndexOf('\n') + 1)}${tail.slice(tail.indexOf('\n') + 1)}` : head + tail
}
