/** Looks up names in the `compromise` lexicon. Called only for names in a matched fact; cached. */
import nlp from 'compromise/two'

export type NameKind = 'person' | 'unknown' | 'other'

const MOST_KEPT = 5_000
const known = new Map<string, NameKind>()

/** Classifies the first word. `other`: a place, a company, or a common word. */
export function nameKind(name: string): NameKind {
  const [first = name] = name.split(' ')
  const kept = known.get(first)
  if (kept !== undefined) return kept
  const kind = lookedUp(first)
  if (known.size >= MOST_KEPT) known.delete(known.keys().next().value as string)
  known.set(first, kind)
  return kind
}

export function isKnownPlace(name: string): boolean {
  const terms: readonly { readonly tags?: readonly string[] }[] = nlp(name).json()[0]?.terms ?? []
  return terms.length > 0 && terms.some(({ tags = [] }) => tags.some((tag) => PLACES.has(tag)))
}

const PLACES = new Set(['Place', 'City', 'Country', 'Region'])

function lookedUp(word: string): NameKind {
  const tags: readonly string[] = nlp(word).json()[0]?.terms[0]?.tags ?? []
  if (tags.includes('FirstName') || tags.includes('Person')) return 'person'
  const plain = tags.includes('Noun') && !tags.some((tag) => OTHER.has(tag))
  return plain ? 'unknown' : 'other'
}

const OTHER = new Set([
  'Place',
  'City',
  'Country',
  'Region',
  'Organization',
  'Pronoun',
  'Date',
  'Month',
  'WeekDay',
  'Plural',
  'Demonym',
  'Value',
])
