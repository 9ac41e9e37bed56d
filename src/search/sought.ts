/** What a question looks for, as an excerpt needs it: the terms of all its phrasings, each once. Pure. */

import type { Plan } from './plan.ts'
import type { Sought } from './sought-words.ts'

export function soughtIn(plans: readonly Plan[]): Sought[] {
  const found = new Map<string, Sought>()
  for (const { all, any, common } of plans) {
    for (const { term, weight } of [...all, ...any, ...common]) {
      const key = term.words.join(' ').toLowerCase()
      if ((found.get(key)?.weight ?? 0) < weight) found.set(key, { words: term.words, weight })
    }
  }
  return [...found.values()]
}
