/** A turn of a fork before its texts are read: why it is there, and which of its messages matter most. */

export interface ChosenTurn {
  readonly id: string
  readonly why: string
  /** Messages, by their ids in the ledger, for which it was chosen; the best first. Of other turns its answer matters most. */
  readonly messages: readonly string[]
  /** The message that says what holds: it stands before all others. */
  readonly decides?: string
}
