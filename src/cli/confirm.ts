/** Asks once before something that cannot be undone. Where nobody can answer, --yes must be given. */
import { MnemonicError } from '../core/error.ts'
import type { Cli } from './cli.ts'

/** True only for y or yes. `plan` is what it is about. Throws USAGE where there is no terminal to ask at, and with --json. */
export async function confirm({ io, out }: Cli, plan: string, question: string): Promise<boolean> {
  if (io.ask === undefined || out.json) {
    throw new MnemonicError('USAGE', `${question.replace(/\?$/, '')}: nobody can be asked here`, {
      hint: 'Add --yes to do it without being asked.',
    })
  }
  io.stderr.write(`\r\u001b[2K${plan}\n`)
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim())
}
