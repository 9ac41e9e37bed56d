/** Compares folded names of people. Names that differ in a letter or digit do not agree: impostors write so. */
import { isFullName } from './folded-name.ts'
import { namesFor } from './nicknames.ts'

export type NameAgreement = 'same name' | 'middle name' | 'order of names' | 'nickname' | 'initials' | 'first name'

export function nameAgreement(a: string, b: string): NameAgreement | undefined {
  if (a === '' || b === '') return undefined
  if (a === b) return 'same name'
  const [some, others] = [a.split(' '), b.split(' ')]
  if (some.length === 1 || others.length === 1) {
    const [bare, full] = some.length === 1 ? [a, others] : [b, some]
    return full.length > 1 && (full[0] === bare || namesFor(bare).has(full[0] ?? '')) ? 'first name' : undefined
  }
  if ([...some].sort().join(' ') === [...others].sort().join(' ')) return 'order of names'
  if (some.at(-1) !== others.at(-1)) return undefined
  return givenNames(some, others)
}

function givenNames(some: readonly string[], others: readonly string[]): NameAgreement | undefined {
  const [a = '', b = ''] = [some[0], others[0]]
  const middle = [some.slice(1, -1), others.slice(1, -1)] as const
  if (a === b) return middle[0].length === 0 || middle[1].length === 0 || abbreviates(middle[0], middle[1]) ? 'middle name' : undefined
  if (namesFor(a).has(b)) return 'nickname'
  return (a.length === 1 || b.length === 1) && a[0] === b[0] ? 'initials' : undefined
}

function abbreviates(some: readonly string[], others: readonly string[]): boolean {
  return (
    some.length === others.length &&
    some.every((word, at) => word[0] === others[at]?.[0] && (word.length === 1 || others[at]?.length === 1))
  )
}

/** Whether one person may have both over time: family names change, given names seldom. */
export function couldBeOne(a: string, b: string): boolean {
  if (nameAgreement(a, b) !== undefined) return true
  const [first = '', other = ''] = [a.split(' ')[0], b.split(' ')[0]]
  return namesFor(first).has(other) || ((first.length === 1 || other.length === 1) && first[0] === other[0])
}

export function lookedUp(name: string): { readonly whole: readonly string[]; readonly beginning: readonly string[] } {
  const words = name.split(' ')
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  const whole = new Set([name, [...words].reverse().join(' '), ...namesFor(first)])
  if (isFullName(name)) for (const given of namesFor(first)) whole.add(`${given} ${last}`).add(`${given[0]} ${last}`)
  if (words.length === 2) whole.add(`${last} ${first}`)
  const beginning = first.length === 1 ? [first] : [...namesFor(first)].map((given) => `${given} `)
  return { whole: [...whole], beginning }
}
