/** Embedded text: context, empty line, content. */
export interface WaitingChunk {
  readonly id: number
  readonly agentId: string
  /** Its turn, else its document. */
  readonly ownerId: string
  readonly context: string
  readonly content: string
  readonly inSession: boolean
  readonly stamp: string
}
