import type { ForkContext, ForkRequest } from '../fork-context.ts'

export type ForkHarness = 'claude-code' | 'codex' | 'pi'

export const FORK_HARNESSES: readonly ForkHarness[] = ['claude-code', 'codex', 'pi']

export interface ForkSessionRequest extends ForkRequest {
  readonly into: ForkHarness
  readonly folder?: string
  /** Default: a file in the harness's session folder. */
  readonly out?: string
}

/** snake_case: the JSON of `fork --into`. */
export interface ForkedSession extends ForkContext {
  readonly into: ForkHarness
  /** Null if nothing was found or fits. */
  readonly path: string | null
  readonly session: string | null
  readonly folder: string
  readonly messages: number
  readonly existed: boolean
  readonly argv: readonly string[]
  readonly command: string | null
}
