/** Rules and preferences that were said several times, as one: the newest stands, and says how often. Pure. */
import { bareWords } from '../../core/text.ts'

export interface SaidOnce {
  readonly text: string
  readonly at: number
}

export interface Repetition {
  readonly times: number
  /** When it was said first: milliseconds UTC. */
  readonly first: number
}

const BEFORE =
  /^(?:(?:please|pls|remember|that|again|once|more|and|also|ok|okay|so|but|just|note|reminder|rule|as|like|i|ive|ve|have|said|told|you|already|before|should|must|to|make|sure)\b ?)+/
const BEHIND = /(?: (?:please|pls|thanks|again|ok|okay))+$/

/** By what two sayings of one rule are the same. */
export function ruleKey(text: string): string {
  const words = bareWords(text.replace(/['’]/g, ''))
  return words.replace(BEFORE, '').replace(BEHIND, '') || words
}

/** `items` are the newest first. `isOne` tells apart what is the same only by its words. */
export function saidAgain<T extends SaidOnce>(
  items: readonly T[],
  isOne: (a: T, b: T) => boolean = () => true,
): (T & Partial<Repetition>)[] {
  const found: { readonly key: string; readonly item: T; times: number; first: number }[] = []
  for (const item of items) {
    const key = ruleKey(item.text)
    const known = found.find((one) => one.key === key && isOne(one.item, item))
    if (known === undefined) found.push({ key, item, times: 1, first: item.at })
    else Object.assign(known, { times: known.times + 1, first: Math.min(known.first, item.at) })
  }
  return found.map(({ item, times, first }) => (times === 1 ? item : { ...item, times, first }))
}

/** ` (said 3 times since 2026-01-19)`; nothing of what was said once. */
export function repetitionWords({ times, first }: Partial<Repetition>): string {
  return times === undefined || first === undefined ? '' : ` (said ${times} times since ${new Date(first).toISOString().slice(0, 10)})`
}
