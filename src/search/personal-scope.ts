/**
 * Messages, mail and calendars that a prompt names, by person, channel or conversation. In a project, all others stay hidden. "The email
 * column" and "Stripe" name nobody.
 */
import type { PersonalScope } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { Owner } from './person.ts'
import { isStopWord } from './stop-words.ts'

export type PersonalSetting = 'named' | 'never' | 'always'

/** Never matches the owner, who is in every conversation. */
export interface NamingOptions {
  readonly setting: PersonalSetting
  readonly owner: Owner
  /** Other names of people in the prompt, from the graph. */
  readonly called?: readonly string[]
}

/** Statements that the owner asked to remember. */
const STATED = 'owner'
const NOTHING: PersonalScope = { channels: [STATED], handles: [], threads: [] }
const MOST_NAMES = 20_000
const LONGEST_NAME = 4
const LONGEST_TEXT = 4000

export async function personalScope(
  store: Store,
  texts: readonly string[],
  { setting, owner, called = [] }: NamingOptions,
): Promise<PersonalScope | undefined> {
  if (setting === 'always' || !(await store.reader.holdsPersonal())) return undefined
  if (setting === 'never') return NOTHING
  const text = texts.join('\n').slice(0, LONGEST_TEXT).normalize('NFC').replaceAll('’', "'")
  return {
    channels: [STATED, ...channelsNamedIn(text, await store.reader.channels())],
    handles: await handlesNamedIn(store, text, { owner, called }),
    threads: await threadsNamedIn(store, text),
  }
}

export function namesAnything(scope: PersonalScope | undefined): boolean {
  return scope === undefined || scope.channels.some((channel) => channel !== STATED) || scope.handles.length + scope.threads.length > 0
}

/** Terms of code: "my email validator". */
const NO_CODE =
  '(?![\\w-]*[ -](?:adapter|address|api|app|class|client|code|column|component|endpoint|field|form|function|handler|hook|library|module|package|page|parser|queue|regex|schema|server|service|table|template|test|type|validat|view|widget))'
const MAIL = new RegExp(`\\bmy (?:\\w+ )?(?:e-?mails?|mails?|mailbox|inbox)\\b${NO_CODE}|\\b(?:e-?mailed|mailed) me\\b`, 'i')
const CHATS = new RegExp(`\\bmy (?:\\w+ )?(?:texts|text messages|messages|chats|dms|sms)\\b${NO_CODE}|\\b(?:texted|messaged) me\\b`, 'i')
const CALENDAR = new RegExp(
  `\\bmy (?:\\w+ )?(?:calendar|meetings?|appointments?|schedule)\\b${NO_CODE}|\\bdo i have (?:\\w+ )?(?:meetings?|appointments?)\\b`,
  'i',
)
/** Also words of code: they need "my" to name a channel. */
const COMMON = new Set(['calendar', 'email', 'mail', 'messages', 'chat', 'text', STATED])

function channelsNamedIn(text: string, held: readonly string[]): string[] {
  const isChat = (channel: string) => channel !== 'gmail' && channel !== 'calendar' && channel !== STATED
  return held.filter(
    (channel) =>
      (channel === 'gmail' && MAIL.test(text)) ||
      (channel === 'calendar' && CALENDAR.test(text)) ||
      (isChat(channel) && CHATS.test(text)) ||
      (!COMMON.has(channel) && new RegExp(`(?<![\\w/.-])${escaped(channel)}s?(?![\\w/-]|\\.\\w)`, 'iu').test(text)),
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const NUMBER = /\+?\d[\d ()./-]{6,}\d/g

async function handlesNamedIn(
  store: Store,
  text: string,
  { owner, called }: { readonly owner: Owner; readonly called: readonly string[] },
): Promise<string[]> {
  const written = [...text.matchAll(ADDRESS), ...text.matchAll(NUMBER)].map(([found]) => found)
  const names = namesIn(text)
  const others = new Set(called.map(fold))
  const isNamed = (name: string) => others.has(fold(name)) || isNamedBy(fold(name), names)
  const own = fold(owner.name ?? '')
  const known = names.whole.size === 0 && others.size === 0 ? [] : await store.rows.peopleNames('everywhere', MOST_NAMES)
  const people = known.filter((name) => fold(name) !== own && isNamed(name))
  if (written.length + people.length === 0) return []
  // Loaded on demand: phone numbers of all countries.
  const [{ countryOf, normalHandle }, { ownHandles }] = await Promise.all([
    import('../ledgers/people/handle.ts'),
    import('../ledgers/people/own-handles.ts'),
  ])
  const country = countryOf(owner.phones ?? [])
  // Company names occur in code: only people whom the owner wrote to, or with a card, count.
  const met = people.length === 0 ? [] : await store.reader.acquainted(await store.rows.handlesOf(people, []))
  const mine = ownHandles(owner)
  return [...new Set([...met, ...written.map((raw) => normalHandle(raw, country))])].filter((handle) => !mine.has(handle))
}

interface Names {
  readonly whole: ReadonlySet<string>
  readonly single: ReadonlySet<string>
}

function isNamedBy(name: string, { whole, single }: Names): boolean {
  const [last = '', first] = name.split(/,\s*/)
  const parts = (first === undefined ? name : `${first} ${last}`).split(' ')
  if (parts.length > 1 && whole.has(parts.join(' '))) return true
  return single.has(parts[0] ?? '') || single.has(parts.at(-1) ?? '')
}

const BEFORE_A_NAME = new Set(['from', 'did', 'does', 'has', 'had', 'tell', 'told', 'ask', 'asked', 'with'])
const AFTER_A_NAME =
  /^(?:said|says|say|told|asked|wrote|write|mentioned|suggested|promised|agreed|replied|answered|texted|messaged|mailed|emailed|called|wanted|wants|sent)$/
const MONTH_OR_DAY = /^(?:january|february|march|april|may|june|july|august|september|october|november|december|\w+day)$/

function namesIn(text: string): Names {
  const whole = new Set<string>()
  const single = new Set<string>()
  for (const sentence of text.split(/[.!?;:]\s+|\n+/u)) {
    const written = sentence.split(/[\s,/()"“”]+/u).filter((word) => /\p{L}/u.test(word))
    const plain = written.map((word) => fold(word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/'s?$/u, '')))
    for (const [at, word] of plain.entries()) {
      for (let length = 2; length <= LONGEST_NAME && at + length <= plain.length; length++)
        whole.add(plain.slice(at, at + length).join(' '))
      const [before, after] = [plain[at - 1] ?? '', plain[at + 1] ?? '']
      const isCued = BEFORE_A_NAME.has(before) || AFTER_A_NAME.test(after) || /'s[^\p{L}]*$/u.test(written[at] ?? '')
      const isWritten = at > 0 && /^[^\p{L}\p{N}]*\p{Lu}/u.test(written[at] ?? '') && !MONTH_OR_DAY.test(word)
      if ((isWritten || isCued) && word.length > 1 && !isStopWord(word)) single.add(word)
      // Scripts without case: any word may be a name.
      if (/[\p{Lo}]/u.test(word)) single.add(word)
    }
    if (plain.length === 1) whole.add(plain[0] ?? '')
  }
  return { whole, single }
}

/** A short title may match by chance: the prompt must also say what it is. */
const IS_CONVERSATION = /\b(?:chat|group|thread|conversation|mail|e-?mail|meeting|event|call|invite|invitation)s?\b/i
const SHORTEST_THREAD = 4
const CERTAIN_WORDS = 3

async function threadsNamedIn(store: Store, text: string): Promise<string[]> {
  const folded = text.toLowerCase()
  const found = await store.reader.threadsNamedIn(folded, SHORTEST_THREAD)
  return found
    .filter(({ name }) => {
      const wanted = name.toLowerCase().trim()
      const isWhole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(wanted)}(?![\\p{L}\\p{N}])`, 'u').test(folded)
      return isWhole && (wanted.split(/\s+/).length >= CERTAIN_WORDS || IS_CONVERSATION.test(text))
    })
    .map(({ id }) => id)
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')
}
