/** A chunk on its way out of the store to an embedder. */

/** A chunk to embed: its text is the context, an empty line, the content. */
export interface WaitingChunk {
  readonly id: number
  readonly agentId: string
  /** The record that the chunk belongs to: its turn, else its document. */
  readonly ownerId: string
  readonly context: string
  readonly content: string
  /** It is of an agent's session. */
  readonly inSession: boolean
  /** A hash of what the chunk holds; `assign` compares it. */
  readonly stamp: string
}
