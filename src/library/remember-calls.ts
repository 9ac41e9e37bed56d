import type { RememberType } from '../core/remember-type.ts'
import type { Trust } from '../core/trust.ts'
import type { RememberRequest } from '../jobs/remember-request.ts'
import type { RememberedStatus } from '../ledgers/remembered.ts'

export interface MnemonicRemembering {
  /** The owner's statement holds at once; an agent's is a proposal. Idempotent. */
  remember(request: RememberRequest): Promise<RememberAnswer>
  /** Newest first. Without `all`, omits undone and confirmed ones. */
  remembered(request?: RememberedRequest): Promise<RememberedList>
  /** Makes a proposal the owner's statement. Only for callers acting for a person: agent tools must not call it. */
  confirmRemembered(id: string): Promise<RememberAnswer>
  /** Agents can undo only proposals. Stating it again creates a new one. */
  undoRemembered(id: string, options: { readonly by: 'owner' | 'agent' }): Promise<{ undone: ShownRemembered }>
}

export interface RememberedRequest {
  readonly proposed?: boolean | undefined
  readonly type?: RememberType | undefined
  readonly all?: boolean | undefined
  readonly agent?: string | undefined
  /** Default 100. */
  readonly limit?: number | undefined
}

export interface RememberedList {
  readonly remembered: readonly ShownRemembered[]
  readonly total: number
  readonly proposed: number
}

export interface ShownRemembered {
  /** Short id: `r:3f2a1c9d`. */
  readonly id: string
  readonly event_id: string
  readonly type: RememberType
  readonly text: string
  readonly status: RememberedStatus
  readonly by: 'owner' | 'agent'
  readonly trust: Trust
  readonly stated_at: string
  readonly from: string | null
  readonly about: { readonly id: string | null; readonly name: string; readonly type: string } | null
  readonly project: string | null
  readonly alias: { readonly type: string; readonly value: string } | null
  readonly corrects: string | null
  /** The proposal that it confirms, for owner statements. */
  readonly confirms: string | null
  readonly confirmed_by: string | null
}

export interface RememberAnswer {
  readonly remembered: ShownRemembered
  readonly is_new: boolean
  readonly new_entity: { readonly id: string; readonly name: string; readonly type: string } | null
  /** False for proposals, and while another process runs: the next sync indexes it. */
  readonly searchable: boolean
  readonly warnings: readonly string[]
}
