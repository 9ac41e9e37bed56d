/** The documents the index is made of: one a turn, one a compaction, derived from the agents ledger alone and redacted. */

export interface IndexDocument {
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly ledger: 'agents' | 'events'
  readonly kind: 'turn' | 'compaction' | 'episode' | 'document'
  readonly agentId: string
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly timestamp: number
  readonly superseded: boolean
  /** The whole text as `memory_get` and the QMD export give it: header, blank line, body. */
  readonly text: string
  /** sha256 of `text`. */
  readonly hash: string
  readonly messages: readonly DocumentMessage[]
}

/** One redacted message of a document. */
export interface DocumentMessage {
  readonly nativeId: string
  readonly role: 'user' | 'assistant'
  /** The name to show: the source's speaker, else User or Assistant. */
  readonly speaker: string
  readonly text: string
  readonly timestamp: number | undefined
  readonly trust: import('../core/trust.ts').Trust
}
