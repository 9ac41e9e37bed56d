/** A fork as a session of a harness. */
import type { ForkContext, ForkRequest } from '../fork-context.ts'

export type ForkHarness = 'claude-code' | 'codex' | 'pi'

export const FORK_HARNESSES: readonly ForkHarness[] = ['claude-code', 'codex', 'pi']

export interface ForkSessionRequest extends ForkRequest {
  readonly into: ForkHarness
  /** The folder in which the harness will go on; that of the process when absent. */
  readonly folder?: string
  /** A file, instead of one in the harness's own folder of sessions. */
  readonly out?: string
}

/** snake_case: the JSON of `fork --into`. */
export interface ForkedSession extends ForkContext {
  readonly into: ForkHarness
  /** Null where nothing was found or fits: then nothing is written. */
  readonly path: string | null
  /** The name that the harness gives the session. */
  readonly session: string | null
  readonly folder: string
  /** How many messages were copied. */
  readonly messages: number
  /** The same fork was written before: its file is left as it is, with what was said since. */
  readonly existed: boolean
  readonly argv: readonly string[]
  /** For a shell. */
  readonly command: string | null
}
