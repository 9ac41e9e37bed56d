import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import type { LeftOffAnswer, Mnemonic } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatLeftOff } from '../format/left-off.ts'
import { rememberAnswer } from '../last-answer.ts'

interface Flags {
  readonly folder?: string
  readonly project?: string
  readonly branch?: string
  readonly day?: string
  readonly maxTokens?: number
}

const MOST_TOKENS = 2_000

export function leftOff(command: Command, cli: Cli): void {
  command
    .description(
      'Says where the work on a project was left: the newest sessions, those on this branch first; what the last one did, what it said comes next, what is not committed, what failed, and what was asked and not answered. A prompt such as "where were we?" is given the same, and so is a search for it.',
    )
    .option('--folder <dir>', 'the folder of the project; default: this one')
    .option('--project <name>', 'a project by its name, path or remote, instead')
    .option('--branch <name>', 'the branch whose sessions come first; default: that of the folder')
    .option('--day <time>', 'only sessions of this time: yesterday, "last week", 2026-02-03')
    .option('--max-tokens <n>', 'most tokens of the text for agents (default: 300)', wholeNumber(MOST_TOKENS))
    .addHelpText('after', examples('left-off', 'left-off --project cli', 'left-off --day yesterday', 'left-off --json'))
    .action(({ folder = process.cwd(), ...flags }: Flags) =>
      cli.run(async (mnemonic) => {
        const left = await mnemonic.leftOff(
          given({ ...flags, folder: flags.project === undefined ? folder : undefined, agent: cli.agent() }),
        )
        return printLeftOff(cli, mnemonic, { left, document: left })
      }),
    )
}

interface Printed {
  readonly left: LeftOffAnswer
  readonly document: object
}

export async function printLeftOff(cli: Cli, mnemonic: Mnemonic, { left, document }: Printed): Promise<0> {
  const { forAgent, style } = cli.out
  cli.out.answer(document, () => (forAgent ? left.text : formatLeftOff(left, { style })))
  await rememberAnswer(
    cli,
    mnemonic,
    left.sessions.map(({ session_id }) => session_id),
  )
  if (left.sessions.length === 0) cli.out.hint('memory has no session of this project; to import sessions: mnemonic sync')
  else if (!cli.out.json && !forAgent) cli.out.hint('to read it: mnemonic show 1; to go on with it: mnemonic resume 1')
  return 0
}
