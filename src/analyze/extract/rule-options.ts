/** What the rules need to know beside the text. */
export interface RuleOptions {
  /** The owner's, in which "next Tuesday" is meant. */
  readonly timezone: string
  /** Who the owner is: harnesses seldom say. */
  readonly owner?: { readonly name?: string | undefined; readonly handle?: string | undefined } | undefined
}

/** Grows with every change of what the rules find: runs of an older one are stale. */
export const EXTRACTION_VERSION = 'extract-rules-5'
