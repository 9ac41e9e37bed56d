import type { ForkContext, ForkRequest } from '../fork-context.ts'

export type ForkHarness = 'claude-code' | 'codex' | 'pi'

export const FORK_HARNESSES: readonly ForkHarness[] = ['claude-code', 'codex', 'pi']

export interface ForkSessionRequest extends ForkRequest {
  readonly into: ForkHarness
  /** Working folder; default: the process's. */
  readonly folder?: string
  /** Default: a file in the harness's session folder. */
  readonly out?: string
}

/** snake_case: the JSON of `fork --into`. */
export interface ForkedSession extends ForkContext {
  readonly into: ForkHarness
  /** Null if nothing was found or fits. */
  readonly path: string | null
  /** The harness's session id. */
  readonly session: string | null
  readonly folder: string
  readonly messages: number
  /** The file existed and was left alone. */
  readonly existed: boolean
  readonly argv: readonly string[]
  /** For a shell. */
  readonly command: string | null
}
