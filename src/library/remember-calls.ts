/** What the calls about what is remembered take and give. */
import type { RememberType } from '../core/remember-type.ts'
import type { Trust } from '../core/trust.ts'
import type { RememberRequest } from '../jobs/remember-request.ts'
import type { RememberedStatus } from '../ledgers/remembered.ts'

export interface MnemonicRemembering {
  /** Takes a statement into the ledger. By the owner it holds at once; by an agent it is a proposal, whatever it says. The same one twice is one. */
  remember(request: RememberRequest): Promise<RememberAnswer>
  /** All that was stated, newest first; without what was taken back and what was confirmed, unless `all`. */
  remembered(request?: RememberedRequest): Promise<RememberedList>
  /** Makes a proposal the owner's own statement. Only for who acts for a person: no tool of an agent may call it. */
  confirmRemembered(id: string): Promise<RememberAnswer>
  /** Takes back a statement, exactly; `by` an agent only proposals. To state it again is a new one. */
  undoRemembered(id: string, options: { readonly by: 'owner' | 'agent' }): Promise<{ undone: ShownRemembered }>
}

export interface RememberedRequest {
  readonly proposed?: boolean | undefined
  readonly type?: RememberType | undefined
  readonly all?: boolean | undefined
  readonly agent?: string | undefined
  /** Most of them; 100 when absent. */
  readonly limit?: number | undefined
}

export interface RememberedList {
  readonly remembered: readonly ShownRemembered[]
  readonly total: number
  /** How many proposals wait for a person. */
  readonly proposed: number
}

export interface ShownRemembered {
  /** Short, as these calls take it: `r:3f2a1c9d`. */
  readonly id: string
  readonly event_id: string
  readonly type: RememberType
  readonly text: string
  readonly status: RememberedStatus
  readonly by: 'owner' | 'agent'
  readonly trust: Trust
  readonly stated_at: string
  /** What the agent that proposed it calls itself. */
  readonly from: string | null
  readonly about: { readonly id: string | null; readonly name: string; readonly type: string } | null
  readonly project: string | null
  readonly alias: { readonly type: string; readonly value: string } | null
  /** The id of what it puts right. */
  readonly corrects: string | null
  /** Of the owner's: the proposal that it confirms. */
  readonly confirms: string | null
  readonly confirmed_by: string | null
}

export interface RememberAnswer {
  readonly remembered: ShownRemembered
  /** False where it stood already, and nothing was written. */
  readonly is_new: boolean
  /** An entity that was not known before it was named here. */
  readonly new_entity: { readonly id: string; readonly name: string; readonly type: string } | null
  /** False for a proposal, and where another process is at work: the next sync puts it into the index. */
  readonly searchable: boolean
  readonly warnings: readonly string[]
}
