/** Calls of the library that `Mnemonic` is about to have, as the tools use them. A tool or prompt whose call is not there is not offered. */
import type { ForkContext, ForkRequest } from '../library/index.ts'

export interface RememberRequest {
  /** A fact, a preference, a decision or a correction, in a sentence. */
  readonly text: string
  /** What an agent states is a proposal, whatever it says: the owner confirms it. */
  readonly by: 'agent'
  readonly about?: string
  readonly project?: string
  /** The id of what it puts right. */
  readonly corrects?: string
  /** What the agent calls itself. */
  readonly from?: string
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
  /** With the context as a text, marked as memory, within the budget; empty where nothing was found. */
  forkText(request: ForkRequest): Promise<ForkContext & { readonly text: string }>
  remember(request: RememberRequest): Promise<{ readonly remembered: Remembered; readonly is_new: boolean }>
  /** Where a project stands, marked as memory. */
  brief(request: BriefRequest): Promise<{ readonly text: string }>
}
