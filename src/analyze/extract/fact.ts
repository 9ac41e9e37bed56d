/** What a rule reads out of one sentence, before its names become entities. Places are in UTF-16 units of the sentence. */

export type Place = readonly [start: number, end: number]

/** Who or what a fact is about. */
export type Named =
  | { readonly kind: 'speaker'; readonly at: Place }
  | { readonly kind: 'project'; readonly at: Place }
  /** One that only exists as a relative: `my mom`. */
  | { readonly kind: 'relative'; readonly word: string; readonly at: Place }
  | {
      readonly kind: 'name'
      readonly type: string
      readonly text: string
      readonly at: Place
      /** Tells people of one first name apart: `sibling`, `from acme`. */
      readonly qualifier?: string | undefined
    }

export interface Fact {
  readonly subject: Named
  readonly type: string
  readonly object: Named | { readonly kind: 'literal'; readonly text: string }
  readonly confidence: number
  /** What a date of the sentence says about it: since when it holds, when it begins, until when it held. */
  readonly dated?: 'since' | 'from' | 'until'
  /** It held once. */
  readonly former?: boolean
}

export interface Rule {
  readonly name: string
  /** Case-sensitive, with indices. Every match in a sentence is read. */
  readonly pattern: RegExp
  /** It stands in a question, a condition and a negation as well: `Would my sister Emily like it?` says that Emily is a sister. */
  readonly presupposed?: true
  /** It speaks of what is not, or no longer: a negation does not refuse it. */
  readonly negated?: true
  /** None where what was matched says nothing after all. */
  readonly read: (match: Match) => readonly Fact[]
}

/** A match with the words as they are written, quotations included. */
export interface Match {
  readonly text: (group: string) => string
  readonly has: (group: string) => boolean
  readonly at: (group: string) => Place
  /** The message's time, for what holds until now. */
  readonly timestamp: number
  readonly timezone: string
  readonly sentence: string
}
