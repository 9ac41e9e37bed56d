/** A rule's match in one sentence, before names become entities. Offsets are UTF-16 units of the sentence. */

export type Place = readonly [start: number, end: number]

export type Named =
  | { readonly kind: 'speaker'; readonly at: Place }
  | { readonly kind: 'project'; readonly at: Place }
  /** Known only as a relative: `my mom`. */
  | { readonly kind: 'relative'; readonly word: string; readonly at: Place }
  | {
      readonly kind: 'name'
      readonly type: string
      readonly text: string
      readonly at: Place
      /** Distinguishes people of one first name: `sibling`, `from acme`. */
      readonly qualifier?: string | undefined
    }

export interface Fact {
  readonly subject: Named
  readonly type: string
  readonly object: Named | { readonly kind: 'literal'; readonly text: string }
  readonly confidence: number
  /** Meaning of the sentence's date: valid since, starting from, or valid until. */
  readonly dated?: 'since' | 'from' | 'until'
  readonly former?: boolean
}

export interface Rule {
  readonly name: string
  /** Case-sensitive, with indices. All matches of a sentence are read. */
  readonly pattern: RegExp
  /** Also holds in questions, conditions and negations: `Would my sister Emily like it?`. */
  readonly presupposed?: true
  /** States an end or an absence, so a negation does not refuse it. */
  readonly negated?: true
  readonly read: (match: Match) => readonly Fact[]
}

export interface Match {
  readonly text: (group: string) => string
  readonly has: (group: string) => boolean
  readonly at: (group: string) => Place
  /** Message time, for facts that hold until now. */
  readonly timestamp: number
  readonly timezone: string
  readonly sentence: string
}
