/** Why an answer is empty: hits by meaning were left out, since no word matched or the search is exact. */
import type { Store } from '../store/store.ts'
import type { Intent } from './intent.ts'
import type { Plan } from './plan.ts'
import type { QueryVector } from './query-vector.ts'
import type { LeftOut } from './result.ts'

interface Searched {
  readonly plan: Pick<Plan, 'all' | 'empty'>
  readonly intent: Pick<Intent, 'vectorWeight'>
  readonly embedded: Pick<QueryVector, 'vector'>
}

export async function leftOut(store: Store, phrasings: readonly Searched[], exact: boolean): Promise<LeftOut | undefined> {
  const asked = phrasings.filter(({ plan }) => !plan.empty)
  if (asked.length === 0 || (await store.lexical.size()) === 0) return undefined
  const isExact = exact || asked.every(({ plan, intent }) => plan.all.length > 0 || intent.vectorWeight === 0)
  const nearest = asked.some(({ embedded }) => embedded.vector !== undefined)
  return isExact
    ? { reason: 'exact', nearest, text: 'what was asked for exactly occurs nowhere' }
    : { reason: 'no_word', nearest, text: 'no word of it occurs' }
}
