/**
 * Conversations that a run finds in two places: the names of the texts that its databases told, so that a transcript of the same
 * conversation is held against them. Lives as long as one adapter; holds only conversations of which a second copy was found.
 */

export interface Mirrors {
  /** A transcript or a store of this conversation was found. */
  found(session: string): void
  /** A database tells this text of the conversation. */
  tell(session: string, names: readonly string[]): void
  /** What databases told of the conversation in this run; undefined where they told nothing. */
  told(session: string): ReadonlySet<string> | undefined
}

export function mirrors(): Mirrors {
  const texts = new Map<string, Set<string> | undefined>()
  return {
    found(session) {
      if (!texts.has(session)) texts.set(session, undefined)
    },
    tell(session, names) {
      if (!texts.has(session)) return
      const told = texts.get(session) ?? new Set()
      for (const name of names) told.add(name)
      texts.set(session, told)
    },
    told: (session) => texts.get(session),
  }
}
