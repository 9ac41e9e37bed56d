/** Asks once before something that cannot be undone. Where nobody can answer, --yes must be given. */
import { MnemonicError } from '../core/error.ts'
import type { Io } from './io.ts'

/** True only for y or yes. Throws USAGE where there is no terminal to ask at. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  if (io.ask === undefined) {
    throw new MnemonicError('USAGE', 'this needs a yes, and there is no terminal to ask at', {
      hint: 'Add --yes to do it without being asked.',
    })
  }
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim())
}
