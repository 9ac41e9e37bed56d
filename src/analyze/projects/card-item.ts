import type { StoredFact } from './read-facts.ts'

export interface Cited {
  readonly message: string
  readonly call: string | null
  readonly turn: string | null
  readonly at: number
}

export interface CardItem extends Cited {
  readonly text: string
  /** Unambiguous name: `#12`, a ticket, a branch, a variable. */
  readonly key?: string
  readonly sessions: number
  readonly trust: string
}

export function item(text: string, all: readonly StoredFact[]): CardItem {
  const last = all.at(-1) as StoredFact
  const { message, call, turn, at, trust } = last
  return { text, sessions: new Set(all.map(({ session }) => session)).size, message, call, turn, at, trust }
}

export function grouped(facts: readonly StoredFact[], keyOf: (fact: StoredFact) => string): StoredFact[][] {
  const found = new Map<string, StoredFact[]>()
  for (const fact of facts) {
    const key = keyOf(fact)
    const group = found.get(key)
    if (group === undefined) found.set(key, [fact])
    else group.push(fact)
  }
  return [...found.values()]
}
