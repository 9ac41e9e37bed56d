/** Checks if any hit concerns the prompt's subject, since a search always has a best hit. */
import { mentionOf } from '../../search/mention.ts'
import { namedTimes } from '../../search/named-times.ts'
import { type Owner, type People, people } from '../../search/person.ts'
import { planQuery, rarity } from '../../search/plan.ts'
import type { SearchResult } from '../../search/result.ts'
import { zoneOf } from '../../search/when-span.ts'
import type { Store } from '../../store/store.ts'
import { contentWords } from './phrase.ts'

/** Virtual chunks without the words: in a small memory, its own subject is in every chunk. */
const OTHERS = 1000
const FIRST = 5
const FLOOR = 0.3
/** A long prompt shares fewer of its words with memory, so its floor is lower. */
const SHORT = 5
const FLOOR_OF_STORY = 0.15
/** As in search: cosines scaled from 0 at `UNRELATED` to 1 at `SAME`. */
const UNRELATED = 0.2
const SAME = 0.6

interface Asked {
  readonly store: Store
  readonly owner: Owner
  readonly now: number
}

export async function speaksOf(prompt: string, hits: readonly SearchResult[], { store, owner, now }: Asked): Promise<boolean> {
  const everybody = people(store, owner)
  // A known person's name is subject enough.
  if ((await mentionOf(prompt, everybody)).meaning !== prompt) return true
  const times = namedTimes(prompt, zoneOf(owner, now))?.understood ?? []
  const timeless = times.reduce((rest, { phrase }) => rest.replace(phrase, ' '), prompt)
  const floor = contentWords(timeless).length <= SHORT ? FLOOR : FLOOR_OF_STORY
  // Dates match by time, not by words; weekdays may match either way.
  for (const text of new Set([timeless, prompt])) if (await holdsEnough(text, hits, { store, everybody, floor })) return true
  return false
}

async function holdsEnough(
  text: string,
  hits: readonly SearchResult[],
  { store, everybody, floor }: { readonly store: Store; readonly everybody: People; readonly floor: number },
): Promise<boolean> {
  const plan = await planQuery(text, store.lexical, everybody)
  // A quotation matches regardless of other words.
  if (plan.empty || plan.all.length > 0 || plan.person !== undefined) return true
  const size = await store.lexical.size()
  const raised = (weight: number, frequency: number) => (weight * rarity(frequency, size + OTHERS)) / rarity(frequency, size)
  const terms = [...plan.any, ...plan.common].map((term) => ({ text: term.text, worth: raised(term.weight, term.frequency) }))
  const whole = terms.reduce((sum, { worth }) => sum + worth, raised(plan.absent, 0))
  return hits.slice(0, FIRST).some(({ matched, explain }) => {
    if (explain?.sure === undefined) return true
    const covered = terms.reduce((sum, term) => sum + (matched.includes(term.text) ? term.worth : 0), 0) / whole
    const near = explain.cosine === undefined ? covered : Math.min(1, Math.max(0, (explain.cosine - UNRELATED) / (SAME - UNRELATED)))
    return (covered + near) / 2 >= floor
  })
}
