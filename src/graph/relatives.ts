/** Word → type of the observation `<person> TYPE <speaker>`. */
const RELATIONS: Readonly<Record<string, string>> = {
  ...all('PARENT_OF', 'mom mum mommy mother mama dad daddy father papa stepmom stepmother stepdad stepfather'),
  ...all('CHILD_OF', 'son daughter stepson stepdaughter'),
  ...all('SIBLING_OF', 'sister brother stepsister stepbrother half-sister half-brother twin'),
  ...all('SPOUSE_OF', 'wife husband spouse hubby'),
  ...all('ENGAGED_TO', 'fiancé fiancée fiance fiancee'),
  ...all('DATING', 'girlfriend boyfriend'),
  ...all('PARTNER_OF', 'partner'),
  ...all('GRANDPARENT_OF', 'grandma grandmother granny nana grandpa grandfather granddad'),
  ...all('GRANDCHILD_OF', 'grandson granddaughter'),
  ...all(
    'RELATIVE_OF',
    'aunt auntie uncle cousin niece nephew sister-in-law brother-in-law mother-in-law father-in-law son-in-law daughter-in-law godson goddaughter godmother godfather',
  ),
  ...all('FRIEND_OF', 'friend friends buddy bestie'),
  ...all('COLLEAGUE_OF', 'colleague colleagues coworker coworkers co-worker co-workers teammate teammates'),
  ...all('MANAGER_OF', 'boss manager supervisor'),
  ...all('ROOMMATE_OF', 'roommate roommates flatmate housemate'),
  ...all('NEIGHBOR_OF', 'neighbor neighbors neighbour neighbours'),
  ...all(
    'KNOWS',
    'therapist doctor dentist trainer coach mentor teacher professor landlord accountant lawyer hairdresser vet tutor advisor instructor',
  ),
  ...all('SIBLING_OF', 'sisters brothers'),
  ...all('CHILD_OF', 'sons daughters kids children'),
  ...all('PARENT_OF', 'parents'),
  ...all('RELATIVE_OF', 'cousins nieces nephews aunts uncles'),
}

/** Words for people one has only one of: such a word names the person. */
const ONLY_ONE: Readonly<Record<string, string>> = {
  ...{ mom: 'Mom', mum: 'Mom', mommy: 'Mom', mother: 'Mom', mama: 'Mom', dad: 'Dad', daddy: 'Dad', father: 'Dad', papa: 'Dad' },
  ...{ wife: 'Wife', husband: 'Husband', girlfriend: 'Girlfriend', boyfriend: 'Boyfriend' },
}

export const RELATIVE_WORDS = Object.keys(RELATIONS)
  .toSorted((a, b) => b.length - a.length)
  .join('|')
export const ONLY_ONE_WORDS = Object.keys(ONLY_ONE).join('|')

export const relationOf = (word: string): string | undefined => RELATIONS[word.toLowerCase()]
/** `mother` → `Mom`; undefined if one may have several. */
export const onlyOne = (word: string): string | undefined => ONLY_ONE[word.toLowerCase()]

const SAID_OF_ONE = new Set(Object.values(ONLY_ONE).map((name) => name.toLowerCase()))
export const isOnlyOne = (folded: string): boolean => SAID_OF_ONE.has(folded)

/** Relations that one person may have over time: a girlfriend, then a wife. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ PARENT_OF: 'parent', CHILD_OF: 'child', SIBLING_OF: 'sibling', GRANDPARENT_OF: 'grandparent', GRANDCHILD_OF: 'grandchild' },
  ...{ SPOUSE_OF: 'partner', ENGAGED_TO: 'partner', DATING: 'partner', PARTNER_OF: 'partner' },
  ...{ FRIEND_OF: 'friend', COLLEAGUE_OF: 'colleague', MANAGER_OF: 'manager', ROOMMATE_OF: 'roommate', NEIGHBOR_OF: 'neighbor' },
}
const SAME_WORD: Readonly<Record<string, string>> = { auntie: 'aunt' }

/** The key's qualifier: `sibling` for a sister. */
export function relationKind(word: string): string | undefined {
  const lower = word.toLowerCase()
  const type = RELATIONS[lower]
  if (type === undefined) return undefined
  const one = lower.replace(/s$/, '')
  return ALIKE[type] ?? SAME_WORD[lower] ?? (RELATIONS[one] === type ? one : lower)
}

export const kindOfRelation = (type: string): string | undefined => ALIKE[type]

function all(type: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, type]))
}
