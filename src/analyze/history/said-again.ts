/** Merges repeated rules and preferences: the newest stands, with a count. */
import { bareWords } from '../../core/text.ts'

export interface SaidOnce {
  readonly text: string
  readonly at: number
}

export interface Repetition {
  readonly times: number
  readonly first: number
}

const BEFORE =
  /^(?:(?:please|pls|remember|that|again|once|more|and|also|ok|okay|so|but|just|note|reminder|rule|as|like|i|ive|ve|have|said|told|you|already|before|should|must|to|make|sure)\b ?)+/
const BEHIND = /(?: (?:please|pls|thanks|again|ok|okay))+$/

export function ruleKey(text: string): string {
  const words = bareWords(text.replace(/['’]/g, ''))
  return words.replace(BEFORE, '').replace(BEHIND, '') || words
}

/** `items`: newest first. `isOne` separates items with equal words but different meaning. */
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

export function repetitionWords({ times, first }: Partial<Repetition>): string {
  return times === undefined || first === undefined ? '' : ` (said ${times} times since ${new Date(first).toISOString().slice(0, 10)})`
}
