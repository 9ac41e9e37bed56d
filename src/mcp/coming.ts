/** Calls of the library that `Mnemonic` is about to have, as the tools use them. A tool or prompt whose call is not there is not offered. */
import type { ForkContext, ForkRequest } from '../library/index.ts'

export interface RememberRequest {
  /** A fact, a preference or a correction, in a sentence. */
  readonly text: string
  /** The person, project or thing that it is about. */
  readonly about?: string
  /** Who says so. What an agent says is a proposal: the owner confirms it. */
  readonly trust: 'owner' | 'agent'
}

export interface Remembered {
  /** `remember --confirm` and `--undo` take it. */
  readonly id: string
  readonly text: string
  readonly status: string
}

export interface BriefRequest {
  readonly folder?: string
  readonly signal?: AbortSignal
}

export interface Coming {
  buildForkContext(request: ForkRequest): Promise<ForkContext>
  remember(request: RememberRequest): Promise<Remembered>
  /** Where a project stands, marked as memory. */
  brief(request: BriefRequest): Promise<{ readonly text: string }>
}
