export interface RuleOptions {
  readonly timezone: string
  /** Harnesses seldom name the owner. */
  readonly owner?: { readonly name?: string | undefined; readonly handle?: string | undefined } | undefined
}

/** Bump if any rule's findings change: older runs become stale. */
export const EXTRACTION_VERSION = 'extract-rules-5'
