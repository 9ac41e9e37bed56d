/**
 * Whether anything that was found speaks of what a prompt asks: something is always best, also of a subject that memory never had. It counts what the
 * hits hold of the prompt's words, the rare ones most, and how near they are in meaning. Reads only.
 */
import { mentionOf } from '../../search/mention.ts'
import { namedTimes } from '../../search/named-times.ts'
import { type Owner, type People, people } from '../../search/person.ts'
import { planQuery, rarity } from '../../search/plan.ts'
import type { SearchResult } from '../../search/result.ts'
import { zoneOf } from '../../search/when-span.ts'
import type { Store } from '../../store/store.ts'
import { contentWords } from './phrase.ts'

/** In a small memory its own subject stands in every chunk: words are weighed as if there were so many chunks without them. */
const OTHERS = 1000
/** So many hits are looked at. */
const FIRST = 5
/** Below, the best of them speaks of something else. */
const FLOOR = 0.3
/** Who tells a story has other words than memory has, and many: less says then that it is another subject. */
const SHORT = 5
const FLOOR_OF_STORY = 0.15
/** As in search: a cosine below the first says nothing, above the second as much as all words. */
const UNRELATED = 0.2
const SAME = 0.6

interface Asked {
  readonly store: Store
  readonly owner: Owner
  readonly now: number
}

export async function speaksOf(prompt: string, hits: readonly SearchResult[], { store, owner, now }: Asked): Promise<boolean> {
  const everybody = people(store, owner)
  // Who names somebody that memory knows asks about them, in whatever words.
  if ((await mentionOf(prompt, everybody)).meaning !== prompt) return true
  const times = namedTimes(prompt, zoneOf(owner, now))?.understood ?? []
  const timeless = times.reduce((rest, { phrase }) => rest.replace(phrase, ' '), prompt)
  const floor = contentWords(timeless).length <= SHORT ? FLOOR : FLOOR_OF_STORY
  // A date is told by when it was said, and seldom stands in the words; a weekday may.
  for (const text of new Set([timeless, prompt])) if (await holdsEnough(text, hits, { store, everybody, floor })) return true
  return false
}

async function holdsEnough(
  text: string,
  hits: readonly SearchResult[],
  { store, everybody, floor }: { readonly store: Store; readonly everybody: People; readonly floor: number },
): Promise<boolean> {
  const plan = await planQuery(text, store.lexical, everybody)
  // A quotation is found or not, whatever stands around it.
  if (plan.empty || plan.all.length > 0 || plan.person !== undefined) return true
  const size = await store.lexical.size()
  const raised = (weight: number, frequency: number) => (weight * rarity(frequency, size + OTHERS)) / rarity(frequency, size)
  const terms = [...plan.any, ...plan.common].map((term) => ({ text: term.text, worth: raised(term.weight, term.frequency) }))
  const whole = terms.reduce((sum, { worth }) => sum + worth, raised(plan.absent, 0))
  return hits.slice(0, FIRST).some(({ matched, explain }) => {
    // What a tool call did is found by exact words alone.
    if (explain?.sure === undefined) return true
    const covered = terms.reduce((sum, term) => sum + (matched.includes(term.text) ? term.worth : 0), 0) / whole
    const near = explain.cosine === undefined ? covered : Math.min(1, Math.max(0, (explain.cosine - UNRELATED) / (SAME - UNRELATED)))
    return (covered + near) / 2 >= floor
  })
}
