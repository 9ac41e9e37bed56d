import type { FixAnswer, Friction } from '../browse/fix/find-fixes.ts'
import type { HowAnswer } from '../browse/fix/how.ts'

export interface FixOptions {
  readonly agent?: string | undefined
  readonly project?: string | undefined
  readonly limit?: number | undefined
}

export interface MnemonicFixes {
  /** Commands that passed in a project (default: the current folder's), and what failing ones lacked. */
  how(what: string, options?: Omit<FixOptions, 'limit'>): Promise<HowAnswer>
  /** Earlier occurrences of an error, with the steps until the command passed. Default: all projects. */
  find(text: string, options?: FixOptions): Promise<FixAnswer>
  friction(options?: FixOptions): Promise<{ friction: Friction[]; total: number }>
}
