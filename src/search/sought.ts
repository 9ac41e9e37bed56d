import type { Store } from '../store/store.ts'
import { type Owner, people } from './person.ts'
import { type Plan, planQuery } from './plan.ts'
import type { Sought } from './sought-words.ts'

export async function soughtBy(queries: readonly string[], { store, owner }: { store: Store; owner: Owner }): Promise<Sought[]> {
  const everybody = people(store, owner)
  const plans: Plan[] = []
  for (const query of queries) plans.push(await planQuery(query, store.lexical, everybody))
  return soughtIn(plans)
}

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
