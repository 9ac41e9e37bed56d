/** Calls about commands: how something is run, what fixed an error, which errors come back. */
import type { FixAnswer, Friction } from '../browse/fix/find-fixes.ts'
import type { HowAnswer } from '../browse/fix/how.ts'

export interface FixOptions {
  readonly agent?: string | undefined
  /** By its name, remote or folder. */
  readonly project?: string | undefined
  readonly limit?: number | undefined
}

export interface MnemonicFixes {
  /** The forms of a command that passed in a project, of the current folder when absent, and what failing ones lacked. */
  how(what: string, options?: Omit<FixOptions, 'limit'>): Promise<HowAnswer>
  /** Earlier occurrences of an error, of all projects when none is given, with what was done until the command passed. */
  find(text: string, options?: FixOptions): Promise<FixAnswer>
  /** Errors that came back in three or more sessions. */
  friction(options?: FixOptions): Promise<{ friction: Friction[]; total: number }>
}
