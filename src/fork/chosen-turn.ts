export interface ChosenTurn {
  readonly id: string
  readonly why: string
  /** Matching message ids, best first. If empty, the answer matters most. */
  readonly messages: readonly string[]
  /** The message with the current decision; goes first. */
  readonly decides?: string
}
