import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { LeftOffSession, Mnemonic, ResumeAnswer } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { numbered } from '../last-answer.ts'

export function resume(command: Command, cli: Cli): void {
  command
    .description(
      'Prints the command with which the harness takes up the session again, in its folder (claude --resume, codex resume …). Of a subagent, that of the session that started it.',
    )
    .argument(
      '[id]',
      'a number of the last answer, or any id that show takes; without it the session in which the work on the project of this folder was left',
    )
    .option('--run', 'run it, in the folder of the session; needs a terminal')
    .addHelpText('after', examples('resume', 'resume 1', 'resume c010174c --run', 'resume c010174c --json'))
    .action(async (text: string | undefined, { run = false }: { readonly run?: boolean }) => {
      let answer: ResumeAnswer | undefined
      if (run && (cli.out.json || !cli.io.isTTY.stdout || !cli.io.isTTY.stdin || cli.io.launch === undefined)) throw noTerminal()
      await cli.run(async (mnemonic) => {
        const left = text === undefined ? await lastSession(cli, mnemonic) : undefined
        answer = await mnemonic.resume(left?.session_id ?? numbered(cli, mnemonic, text ?? ''))
        const { command, subagent_id, folder, folder_exists } = answer
        if (run) return 0
        cli.out.answer(answer, () => asData(cli.out, command))
        if (left !== undefined)
          cli.out.hint(`${left.title ?? left.id}, ${left.last_message_at.slice(0, 10)}; what was left open there: mnemonic left-off`)
        if (subagent_id !== null) cli.out.hint('that was a subagent: this is the session that started it')
        if (folder === null) cli.out.hint('its folder is not known: run it in that of the project')
        else if (!folder_exists) cli.out.hint('its folder is not on this machine')
        return 0
      })
      // The home is closed here: the harness may run for days.
      if (run && answer !== undefined) cli.exitCode = await runIt(cli, answer)
    })
}

async function lastSession(cli: Cli, mnemonic: Mnemonic): Promise<LeftOffSession> {
  const folder = process.cwd()
  const { sessions } = await mnemonic.leftOff(given({ folder, agent: cli.agent() }))
  const [first] = sessions
  if (first !== undefined) return first
  throw new MnemonicError('NOT_FOUND', `no session of the project of this folder is known: ${folder}`, {
    details: { folder },
    hint: 'Name one: mnemonic resume ID. To list them: mnemonic sessions.',
  })
}

async function runIt({ io }: Cli, { argv, folder, folder_exists }: ResumeAnswer): Promise<number> {
  if (folder === null || !folder_exists) {
    throw new MnemonicError(
      'NOT_FOUND',
      folder === null ? 'the folder of this session is not known' : `the folder of this session is gone: ${folder}`,
      {
        details: { folder },
        hint: `Run it yourself where the project is now: ${argv.join(' ')}`,
      },
    )
  }
  const code = await io.launch?.(argv, { cwd: folder })
  if (code !== undefined) return code
  throw new MnemonicError('NOT_FOUND', `${argv[0]} is not installed, or not on the PATH`, {
    details: { program: argv[0] },
    hint: 'Install it, then run the same command again.',
  })
}

function noTerminal(): MnemonicError {
  return new MnemonicError('USAGE', '--run hands the terminal to the harness, and there is none', {
    details: { option: '--run' },
    hint: 'Leave out --run to get the command.',
  })
}
