import type { Store } from '../store/store.ts'

export interface Owner {
  readonly name: string | undefined
  readonly timezone: string
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
}

/** A person, or a whole role if `names` is absent. */
export interface Person {
  readonly role?: 'user' | 'assistant'
  readonly names?: readonly string[]
}

const SELF = new Set(['i', 'me', 'my', 'mine', 'myself'])
const ASSISTANT = new Set(['assistant', 'ai', 'you', 'your'])
export const ASSISTANT_NAMES = new Set(['claude', 'codex', 'chatgpt', 'gpt', 'gemini', 'copilot', 'cursor'])

export interface People {
  known(name: string): Promise<Person | undefined>
  /** Never a role or a pronoun. */
  named(name: string): Promise<Person | undefined>
  names(): Promise<readonly string[]>
}

export function people(store: Store, owner: Owner): People {
  let speakers: Promise<readonly Speaker[]> | undefined
  const ownNames = owner.name === undefined ? [] : [fold(owner.name), firstName(fold(owner.name))]
  /** If no speaker has the owner's name: speakers whose lines the source attributes to the owner. */
  async function namesOfOwner(): Promise<readonly string[]> {
    speakers ??= readSpeakers(store)
    const all = await speakers
    if (all.some(({ label }) => ownNames.some((own) => isCalled(label, own)))) return ownNames
    return [...ownNames, ...all.filter(({ isOwner }) => isOwner).map(({ label }) => label)]
  }
  async function named(name: string): Promise<Person | undefined> {
    const wanted = fold(name)
    if (ownNames.includes(wanted)) return { role: 'user', names: [wanted, 'user'] }
    speakers ??= readSpeakers(store)
    const roles = new Set((await speakers).filter(({ label }) => isCalled(label, wanted)).flatMap((speaker) => speaker.roles))
    const [role] = roles
    if (role === undefined) return undefined
    return roles.size === 1 && isVoice(role) ? { role, names: [wanted] } : { names: [wanted] }
  }
  return {
    named,
    async names() {
      speakers ??= readSpeakers(store)
      const all = (await speakers).map(({ name }) => name)
      return [...new Set(owner.name === undefined ? all : [owner.name, ...all])]
    },
    async known(name) {
      const wanted = fold(name)
      if (wanted === 'user') return { role: 'user' }
      if (ASSISTANT.has(wanted)) return { role: 'assistant' }
      // Most sources do not name the owner: unnamed user lines are theirs.
      if (SELF.has(wanted)) return { role: 'user', names: [...new Set([...(await namesOfOwner()), 'user'])] }
      return (await named(wanted)) ?? (ASSISTANT_NAMES.has(wanted) ? { role: 'assistant' } : undefined)
    },
  }
}

interface Speaker {
  readonly name: string
  readonly label: string
  readonly isOwner: boolean
  readonly roles: readonly string[]
}

/** In a larger crowd, names later in the alphabet count as words. */
const MOST_SPEAKERS = 2000

async function readSpeakers(store: Store): Promise<Speaker[]> {
  // Only people with a contact card: sender names in a mailbox are often words.
  const cards = await store.rows.peopleNames('contacts', MOST_SPEAKERS)
  const all: Speaker[] = cards.map((name) => ({ name, label: fold(name), roles: ['user'], isOwner: false }))
  for (let last = ''; all.length < MOST_SPEAKERS; ) {
    const next = await store.rows.speakerAfter(last)
    if (next === undefined) break
    all.push({ name: next.name, label: fold(next.name), roles: next.roles, isOwner: next.isOwner })
    last = next.name
  }
  return all
}

export function isAmong(speakers: readonly string[], { role, names }: Person): boolean {
  if (names === undefined) return role !== undefined && speakers.includes(role)
  return speakers.some((speaker) => names.some((name) => isCalled(fold(speaker), name)))
}

function isCalled(label: string, wanted: string): boolean {
  return label === wanted || label.startsWith(`${wanted} `)
}

function isVoice(role: string): role is 'user' | 'assistant' {
  return role === 'user' || role === 'assistant'
}

const PAST = new Set(
  `said told mentioned asked suggested decided thought wrote recommended proposed wanted argued explained promised agreed
  noted preferred liked answered replied claimed insisted planned chose requested described reported believed`.split(/\s+/),
)
const PRESENT = new Set(
  `say says tell tells mention mentions ask asks suggest suggests decide decides think thinks write recommend recommends
  propose want wants argue explain promise agree note prefer prefers like likes answer reply claim plan choose request describe
  report believe`.split(/\s+/),
)
const OPINION = new Set(
  `opinion view take idea suggestion question answer recommendation advice decision preference thoughts comment comments`.split(/\s+/),
)
const AUXILIARY = new Set(['did', 'does', 'has', 'have', 'had'])
const ADVERB = new Set(['ever', 'also', 'actually', 'really', 'just', 'already', 'originally', 'once'])
const LONGEST_NAME = 3
const LONGEST_QUESTION = 60

export interface Asked {
  readonly person: Person
  /** Tokens that name the person and the verb: no part of the subject. */
  readonly used: ReadonlySet<number>
}

export async function personAskedFor(all: People, tokens: readonly string[]): Promise<Asked | undefined> {
  const plain = tokens.slice(0, LONGEST_QUESTION).map((token) => fold(token).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  for (const [at, word] of plain.entries()) {
    const last = lastOfName(plain, at, word)
    if (last === undefined) continue
    for (let length = Math.min(LONGEST_NAME, last + 1); length > 0; length--) {
      const first = last - length + 1
      const name = plain
        .slice(first, last + 1)
        .join(' ')
        .replace(/'s$/, '')
      if (!asks(plain, first, at) || !mayBeName(name)) continue
      const person = await all.known(name)
      if (person) return { person, used: new Set([...plain.keys()].slice(first, at + 1)) }
    }
  }
  return undefined
}

/** End of the name, if the word at `at` is a verb of saying or an opinion. */
function lastOfName(plain: readonly string[], at: number, word: string): number | undefined {
  if (OPINION.has(word) && /('s|^my|^your)$/.test(plain[at - 1] ?? '')) return at - 1
  if (!PAST.has(word) && !PRESENT.has(word)) return undefined
  let last = at - 1
  while (last >= 0 && ADVERB.has(plain[last] ?? '')) last--
  return last < 0 ? undefined : last
}

/** "did Jason say", "Jason's opinion"; not "I think" or "do you think", which ask for nothing past. */
function asks(plain: readonly string[], first: number, at: number): boolean {
  const word = plain[at] ?? ''
  const before = plain[first - 1] === 'the' ? plain[first - 2] : plain[first - 1]
  return OPINION.has(word) || PAST.has(word) || AUXILIARY.has(before ?? '')
}

function mayBeName(name: string): boolean {
  return /^[\p{L}][\p{L}\p{M}\p{N}'. -]*$/u.test(name)
}

function firstName(name: string): string {
  return name.split(/\s+/)[0] ?? name
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim()
}
