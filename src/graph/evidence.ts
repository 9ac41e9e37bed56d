/**
 * Weighs whether two entities are one. Pure. A false merge is worse than a duplicate. Only the address book, or an address that programs
 * wrote on both sides, is certain; untrusted mail never counts.
 */
import { qualifierIn } from './entity-key.ts'
import { foldedName } from './folded-name.ts'
import { type NameAgreement, nameAgreement } from './name-agreement.ts'
import { isWithin } from './place-names.ts'
import { isOnlyOne } from './relatives.ts'
import { hasSeveralNames, isRoleAddress } from './shared-address.ts'

export interface ProfileAlias {
  readonly type: string
  readonly normalized: string
  readonly givenBy: 'header' | 'text' | 'owner'
  /** Given only by untrusted messages. */
  readonly untrusted: boolean
}

export interface Profile {
  readonly id: string
  readonly agentId: string
  readonly type: string
  readonly key: string
  readonly aliases: readonly ProfileAlias[]
  /** Cards of the owner's address books with one of its handles. */
  readonly cards: ReadonlySet<string>
}

export interface EvidenceItem {
  readonly by: 'owner' | 'address book' | 'identifier' | 'name' | 'embedding'
  readonly says: string
  readonly value: string
  readonly weight: number
}

export interface Evidence {
  readonly confidence: number
  /** The same address from programs on both sides, or an address book: `graph.auto_merge` may apply it. */
  readonly autoEligible: boolean
  /** Confirmed by the owner or the address book: merged without review. */
  readonly sure: boolean
  readonly items: readonly EvidenceItem[]
}

/** Minimum confidence for review. */
export const LEAST = 0.3

const TOLD_APART = 'same first name, told apart in the text'

const BY_NAME: Readonly<Record<NameAgreement, number>> = {
  'same name': 0.6,
  'middle name': 0.5,
  'order of names': 0.5,
  nickname: 0.45,
  initials: 0.4,
  'first name': 0.35,
}

/** Undefined without evidence. `contested`: identifiers of several people, from `contestedIn`. */
export function evidenceBetween(a: Profile, b: Profile, contested: ReadonlySet<string>): Evidence | undefined {
  if (a.id === b.id || a.agentId !== b.agentId) return undefined
  if (a.type !== b.type) return acrossTypes(a, b)
  // Extracted with two types, and the owner corrected one of them.
  if (a.key === b.key)
    return {
      confidence: 1,
      items: [{ by: 'owner', says: 'of one type since you said so', value: '', weight: 1 }],
      autoEligible: true,
      sure: true,
    }
  const items = [...cards(a, b), ...identifiers(a, b, contested), ...(a.type === 'person' ? personNames(a, b) : thingNames(a, b))]
  if (items.length === 0) return undefined
  const sorted = items.sort((one, other) => other.weight - one.weight || (one.says < other.says ? -1 : 1))
  const confidence = Math.round((1 - sorted.reduce((doubt, { weight }) => doubt * (1 - weight), 1)) * 1000) / 1000
  if (confidence < LEAST) return undefined
  return {
    ...{ confidence, items: sorted },
    autoEligible: sorted.some(({ by, weight }) => (by === 'identifier' && weight > 0.98) || by === 'address book'),
    sure: sorted.some(({ by }) => by === 'address book'),
  }
}

/** A person in one text is a pet in another; companies share names with their products. */
const TYPES_MISTAKEN: readonly ReadonlySet<string>[] = [new Set(['person', 'pet']), new Set(['company', 'project', 'entity'])]

export function areMistaken(one: string, other: string): boolean {
  return TYPES_MISTAKEN.some((types) => types.has(one) && types.has(other))
}

/** Never more than a proposal. */
function acrossTypes(a: Profile, b: Profile): Evidence | undefined {
  if (!areMistaken(a.type, b.type) || isFramed(a) || isFramed(b)) return undefined
  const others = new Set(namesIn(b))
  const same = namesIn(a).find((name) => others.has(name))
  if (same === undefined) return undefined
  const item = { by: 'name', says: `same name, ${[a.type, b.type].sort().join(' or ')}`, value: same, weight: 0.35 } as const
  return { confidence: item.weight, items: [item], autoEligible: false, sure: false }
}

export function withItem(evidence: Evidence | undefined, item: EvidenceItem): Evidence {
  const { items = [], autoEligible = false, sure = false, confidence = 0 } = evidence ?? {}
  return { items: [...items, item], autoEligible, sure, confidence: Math.round((1 - (1 - confidence) * (1 - item.weight)) * 1000) / 1000 }
}

function cards(a: Profile, b: Profile): EvidenceItem[] {
  const shared = [...a.cards].filter((card) => b.cards.has(card))
  if (shared.length === 0 || isShared(a) || isShared(b)) return []
  return [{ by: 'address book', says: 'one card of the address book', value: '', weight: 0.99 }]
}

const identifierOf = ({ type, normalized }: ProfileAlias) => `${type}\n${normalized}`

export function contestedIn(profiles: readonly Profile[]): Set<string> {
  const holders = holdersIn(profiles)
  return new Set(
    [...holders].flatMap(([identifier, held]) =>
      held.some((one, at) => held.slice(at + 1).some((other) => !agree(namesIn(one), namesIn(other)))) ? [identifier] : [],
    ),
  )
}

/** Ignores identifiers claimed in texts. */
export function holdersIn(profiles: readonly Profile[]): Map<string, Profile[]> {
  const holders = new Map<string, Profile[]>()
  for (const profile of profiles)
    for (const alias of profile.aliases)
      if (alias.type !== 'name' && alias.givenBy !== 'text' && !alias.untrusted && !holders.get(identifierOf(alias))?.includes(profile))
        holders.set(identifierOf(alias), [...(holders.get(identifierOf(alias)) ?? []), profile])
  return holders
}

function agree(some: readonly string[], others: readonly string[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((name) => others.some((other) => nameAgreement(name, other) !== undefined))
}

function identifiers(a: Profile, b: Profile, contested: ReadonlySet<string>): EvidenceItem[] {
  const found = new Map<string, EvidenceItem>()
  for (const one of a.aliases) {
    if (one.type === 'name') continue
    for (const other of b.aliases) {
      if (one.type !== other.type || one.normalized !== other.normalized || one.untrusted || other.untrusted) continue
      if (isRoleAddress(one.normalized) || contested.has(identifierOf(one)) || isShared(a) || isShared(b)) continue
      const weight = weightOf(one, other)
      const before = found.get(one.normalized)
      if (weight > (before?.weight ?? 0))
        found.set(one.normalized, { by: 'identifier', says: `the same ${SAID[one.type] ?? one.type}`, value: one.normalized, weight })
    }
  }
  return [...found.values()]
}

const SAID: Readonly<Record<string, string>> = { email: 'mail address', phone: 'phone number', username: 'user name' }
const REACHED: ReadonlySet<string> = new Set(['email', 'phone'])

function weightOf(one: ProfileAlias, other: ProfileAlias): number {
  const written = [one, other].every(({ givenBy }) => givenBy === 'header' || givenBy === 'owner')
  if (!REACHED.has(one.type)) return written ? 0.6 : 0.5
  return written ? 0.99 : 0.7
}

function isShared({ aliases }: Profile): boolean {
  const written = aliases.filter(({ givenBy }) => givenBy === 'header')
  const names = [...new Set(written.flatMap(({ type, normalized }) => (type === 'name' ? [normalized] : [])))]
  if (hasSeveralNames(names)) return true
  // dev@patel.example is Dev Patel's, not a role address.
  const called = new Set(names.flatMap((name) => name.split(' ')))
  return written.some(
    ({ type, normalized }) =>
      type === 'email' && isRoleAddress(normalized) && !called.has(normalized.slice(0, normalized.lastIndexOf('@'))),
  )
}

function personNames(a: Profile, b: Profile): EvidenceItem[] {
  // Untrusted senders choose their names freely.
  if (isShared(a) || isShared(b) || isFramed(a) || isFramed(b)) return []
  let best: EvidenceItem | undefined
  for (const one of namesIn(a)) {
    for (const other of namesIn(b)) {
      const agreement = nameAgreement(one, other)
      if (agreement === undefined) continue
      const isFirst = agreement === 'same name' && !one.includes(' ')
      const says = !isFirst ? agreement : isToldApart(a) || isToldApart(b) ? TOLD_APART : 'first name'
      const weight = BY_NAME[isFirst ? 'first name' : agreement] + (agreement === 'same name' && sameLocalPart(a, b) ? 0.15 : 0)
      if (weight > (best?.weight ?? 0)) best = { by: 'name', says, value: one.length >= other.length ? one : other, weight }
    }
  }
  return best === undefined ? [] : [best]
}

export function isToldApart({ key }: Profile): boolean {
  return qualifierIn(key) !== undefined
}

export function namesIn({ aliases }: Profile): string[] {
  return [...new Set(aliases.flatMap(({ type, normalized, untrusted }) => (type === 'name' && !untrusted ? [normalized] : [])))]
}

/** A first name said by somebody else may mean anybody. */
function isFramed({ key }: Profile): boolean {
  return key.startsWith('name_of:')
}

function sameLocalPart(a: Profile, b: Profile): boolean {
  const parts = (of: Profile) =>
    of.aliases.flatMap(({ type, normalized }) => (type === 'email' ? [normalized.slice(0, normalized.lastIndexOf('@'))] : []))
  const some = new Set(parts(a).filter((part) => part.length >= 5))
  return parts(b).some((part) => some.has(part))
}

const LEGAL = /\s(?:inc|llc|ltd|limited|gmbh|ag|corp|corporation|co|company|plc|bv|sarl|oy|ab|as|kg|se|sa|srl|pty)$/

export function withoutLegalForm(name: string): string {
  return name.replace(LEGAL, '')
}

function thingNames(a: Profile, b: Profile): EvidenceItem[] {
  if (areTwoFiles(a, b)) return []
  const plain = (of: Profile) =>
    new Set(
      of.aliases.flatMap(({ type, normalized }) => {
        if (type === 'name') return [withoutLegalForm(normalized)]
        return type === 'repository' ? [foldedName(normalized.slice(normalized.lastIndexOf('/') + 1))] : []
      }),
    )
  const others = plain(b)
  const [same] = [...plain(a)].filter((name) => name !== '' && others.has(name))
  if (same !== undefined) return [{ by: 'name', says: 'same name', value: same, weight: 0.6 }]
  if (a.type !== 'location') return []
  const [exact] = [...plain(a)].filter((name) => [...others].some((other) => isWithin(name, other)))
  return exact === undefined ? [] : [{ by: 'name', says: 'the same place, more exactly', value: exact, weight: 0.4 }]
}

/** Many files are called `settings.json`: different unless one path ends with the other. */
function areTwoFiles(a: Profile, b: Profile): boolean {
  const paths = (of: Profile) =>
    of.aliases.flatMap(({ type, normalized }) => (type === 'path' ? [`/${normalized.replace(/^[./]+/, '')}`] : []))
  const [some, others] = [paths(a), paths(b)]
  return some.length > 0 && others.length > 0 && !some.some((one) => others.some((other) => one.endsWith(other) || other.endsWith(one)))
}

export function isFirstNameOnly({ items }: Evidence): boolean {
  return items.every(({ says }) => says === 'first name')
}

export function isOfThatName({ items }: Evidence): boolean {
  return items.some(({ by }) => by === 'name')
}

/** Returns the bare one of "Sarah" and "my sister Sarah". Only for the owner's names: names said by others depend on the speaker. */
export function isBareOfTold(a: Profile, b: Profile): Profile | undefined {
  const [bare, told] = isToldApart(a) ? [b, a] : [a, b]
  const name = bare.type === 'person' ? /^name:([^\u001f ]+)$/.exec(bare.key)?.[1] : undefined
  return name !== undefined && told.key.startsWith(`name:${name}\u001f`) && isToldApart(told) ? bare : undefined
}

/** Returns the bare "Mom" if the owner's address book calls the other one so: a person has one mother. */
export function isCalledSo(a: Profile, b: Profile): Profile | undefined {
  const [bare, card] = a.key.startsWith('name:') ? [a, b] : [b, a]
  const name = bare.type === 'person' ? /^name:([^\u001f]+)$/.exec(bare.key)?.[1] : undefined
  if (name === undefined || !isOnlyOne(name) || card.type !== 'person' || card.key.startsWith('name') || card.cards.size === 0)
    return undefined
  return card.aliases.some(({ type, normalized, givenBy }) => type === 'name' && normalized === name && givenBy === 'owner')
    ? bare
    : undefined
}

export function sharesCard(a: Profile, b: Profile): boolean {
  return a === b || [...a.cards].some((card) => b.cards.has(card))
}

export function yourAddressBookSays({ items, confidence }: Evidence): Evidence {
  const item = { by: 'address book', says: 'your address book calls it so', value: '', weight: 0.9 } as const
  return { ...withItem({ items, confidence, autoEligible: true, sure: true }, item) }
}

/** Nobody else has that first name. Another one with it makes this a proposal again. */
export function onlyOneOfThatName({ items, confidence }: Evidence): Evidence {
  const item = { by: 'name', says: 'nobody else has that first name', value: '', weight: 0.5 } as const
  return { ...withItem({ items, confidence, autoEligible: false, sure: true }, item) }
}

/** Returns the less known of two with one first name. */
export function bareOf(a: Profile, b: Profile): Profile {
  const full = (of: Profile) => namesIn(of).some((name) => name.includes(' '))
  if (full(a) !== full(b)) return full(a) ? b : a
  return a.id < b.id ? a : b
}
