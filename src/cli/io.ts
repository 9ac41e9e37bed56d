/** What a run of the command line sees of the world. A test hands in its own. */
import type { Launch } from './launch.ts'
import type { Questions } from './questions.ts'

export interface Io {
  readonly stdout: { write(text: string): unknown; once?(event: 'drain' | 'close', listener: () => void): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file of the program that runs. */
  readonly script?: string | undefined
  readonly isTTY: { readonly stdin?: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal, where there is one; some terminals say 0. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** Asked for by commands that can stop halfway. Until then an interrupt ends the process as the system does it. */
  readonly signal: () => AbortSignal
  /** Puts a question to the person at the terminal; absent where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Questions of a first run, with choices; absent where there is nobody to answer. */
  readonly questions?: (() => Promise<Questions>) | undefined
  /** Hands the terminal to another program; absent where there is none to hand over. */
  readonly launch?: Launch | undefined
  /** Names the terminal or the harness session that asks; absent: answers are not numbered. */
  readonly caller?: (() => string) | undefined
}
