import { calendarOf, formatInZone } from '../core/time.ts'
import { type PhraseSpan, phraseSpan } from '../core/time-phrase.ts'
import type { Zone } from './when-span.ts'

export interface NamedTimes {
  readonly understood: readonly UnderstoodTime[]
  /** Looks like a time and is none: "February 30". */
  readonly not_understood: readonly string[]
}

export interface UnderstoodTime {
  readonly phrase: string
  readonly days: string
  /** ISO; null if open. `to` is exclusive. */
  readonly from: string | null
  readonly to: string | null
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:r?uary|urary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
/** Every time begins or ends with one of these. */
const ANCHOR = new RegExp(
  `^(?:${MONTH}|${WEEKDAY}|yesterday|yesturday|today|tonight|tomorrow|night|morning|afternoon|evening|days?|weeks?|weekends?|fortnight|months?|quarter|years?|hours?|spring|summer|autumn|fall|winter|q[1-4]|h[12]|(?:19|20)\\d\\d|\\d{4}[-/.]\\d\\d?(?:[-/.]\\d\\d?)?|\\d\\d?[./]\\d\\d?[./]\\d{4}|\\d\\d?-?${MONTH}|${MONTH}-?\\d\\d?|last)$`,
  'i',
)
/** Alone, these may be names, verbs or numbers: they need a lead such as "in". */
const VERB = /^(?:may|march|mar|fall|spring)$/i
const SURE_LEADS = new Set('in during since until till last this throughout'.split(' '))
const WEAK = new RegExp(`^(?:${MONTH}|spring|summer|autumn|fall|winter|(?:19|20)\\d\\d|now|recently|lately|weekend|night|h[12])$`, 'i')
const PREPOSITIONS = new Set('in on at during over throughout within around of and or to'.split(' '))
const LEADS = new Set('in during since until till before after from between this last of by throughout'.split(' '))
const OF_TIME = new RegExp(
  `^(?:${MONTH}|${WEEKDAY}|first|1st|second|2nd|third|3rd|fourth|4th|fifth|last|final|next|previous|past|this|early|mid|late|beginning|start|middle|end|half|day|days|weeks?|weekends?|fortnights?|months?|quarters?|years?|decades?|ago|christmas|easter|thanksgiving|\\d\\d?(?:st|nd|rd|th)?|(?:19|20)\\d\\d|\\d\\d?[./]\\d\\d?[./]\\d{4}|\\d{4}-\\d\\d-\\d\\d)$`,
  'i',
)
const JOINS = new Set(['of', 'in', 'the', 'a', 'and', 'to', 'on', 'before', 'after'])
/** Without one of these it is a duration or a count. */
const SAYS_WHEN = new RegExp(
  `^(?:${MONTH}|${WEEKDAY}|ago|christmas|easter|thanksgiving|\\d\\d?[./]\\d\\d?[./]\\d{4}|\\d{4}-\\d\\d-\\d\\d)$`,
  'i',
)
const SHORT_DATE = /^[0-3]?\d\/[0-3]?\d$/
/** Continue a time that earlier words began. */
const GOES_ON = /^(?:[0-3]?\d\/[0-3]?\d|sprints?)$/i
const UNIT = /^(?:days?|weeks?|weekends?|fortnights?|months?|quarters?|years?|decades?|sprints?)$/i
const WHICH = /^(?:last|next|previous|past|this|first|second|third|fourth|fifth|final)$/i
const MONTH_ALONE = new RegExp(`^${MONTH}$`, 'i')
const YEAR = /^(?:19|20)\d\d$/
const COUNT = /^(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple|some|several)$/i
const MOST_WORDS = 9
/** Words. Longer text is no question, and its times say nothing about one. */
const LONGEST = 60

interface Word {
  readonly text: string
  readonly quoted: boolean
}

export interface TimeAsked extends PhraseSpan {
  readonly said: string
  readonly days: string
}

/** `alone`: the whole question is a time. */
export function namedTimes(query: string, zone: Zone, alone?: TimeAsked): NamedTimes | undefined {
  if (alone !== undefined) {
    const { said, days, from, to } = alone
    return { understood: [{ phrase: said, days, from: iso(from), to: iso(to) }], not_understood: [] }
  }
  const words = wordsOf(query)
  if (words.length > LONGEST || !words.some(({ text }) => ANCHOR.test(text) || SAYS_WHEN.test(text))) return undefined
  const calendar = calendarOf(zone)
  const understood: UnderstoodTime[] = []
  const rest: (string | undefined)[] = words.map(({ text, quoted }) => (quoted ? undefined : text))
  for (let first = 0; first < rest.length; first++) {
    if (PREPOSITIONS.has(rest[first]?.toLowerCase() ?? '')) continue
    for (let length = Math.min(MOST_WORDS, rest.length - first); length > 0; length--) {
      const some = rest.slice(first, first + length)
      if (some.includes(undefined) || !some.some((word) => ANCHOR.test(word ?? ''))) continue
      const phrase = some.join(' ')
      if (length === 1 && !isMeant(phrase, rest[first - 1]?.toLowerCase() ?? '')) continue
      if (cutsADate(rest, first, length)) continue
      const span = phraseSpan(phrase, calendar)
      if (span === undefined) continue
      understood.push({ phrase, days: daysOf(span, zone), from: iso(span.from), to: iso(span.to) })
      rest.fill(undefined, first, first + length)
      break
    }
  }
  const not_understood = strangeTimes(rest)
  return understood.length + not_understood.length === 0 ? undefined : { understood, not_understood }
}

/** "February 30": a month without its day, or a day without its year, is another time. */
function cutsADate(words: readonly (string | undefined)[], first: number, length: number): boolean {
  const isDay = (word: string | undefined) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word ?? '')
  const [begin = '', beforeEnd = '', end = ''] = [words[first], words[first + length - 2], words[first + length - 1]]
  const next = words[first + length]
  const before = words[first - 1]?.toLowerCase() === 'of' ? words[first - 2] : words[first - 1]
  const isDate = (MONTH_ALONE.test(beforeEnd) && isDay(end)) || (isDay(beforeEnd) && MONTH_ALONE.test(end))
  return (MONTH_ALONE.test(end) && isDay(next)) || (MONTH_ALONE.test(begin) && isDay(before)) || (isDate && YEAR.test(next ?? ''))
}

function isMeant(word: string, before: string): boolean {
  return VERB.test(word) ? SURE_LEADS.has(before) : !WEAK.test(word) || LEADS.has(before)
}

export function daysOf({ from, to }: PhraseSpan, { timezone }: Pick<Zone, 'timezone'>): string {
  const day = (at: number) => formatInZone(at, timezone).replace(/ at .*$/, '')
  const [first, last] = [day(from), day(to - 1)]
  return first === last ? first : `${first} to ${last}`
}

function iso(at: number): string | null {
  return Number.isFinite(at) ? new Date(at).toISOString() : null
}

/** Without punctuation. Quoted text is no time. */
function wordsOf(query: string): Word[] {
  const quotes = /["“”]/
  let quoted = false
  return query
    .split(/\s+/)
    .filter(Boolean)
    .map((raw) => {
      const opens = quotes.test(raw[0] ?? '')
      const closes = raw.length > 1 && quotes.test(raw.replace(/[?!.,;:]+$/, '').at(-1) ?? '')
      const inside = quoted || opens
      quoted = inside && !closes
      return { text: raw.replace(/^[("'“‘[]+|[)"'”’\],;:?!.]+$/g, ''), quoted: inside }
    })
}

function strangeTimes(words: readonly (string | undefined)[]): string[] {
  const found: string[] = []
  let run: string[] = []
  const end = () => {
    // "on 3/2": month and day are ambiguous.
    const [lead, date] = run
    if (run.length === 2 && /^(?:on|since|before|after|until)$/i.test(lead ?? '') && SHORT_DATE.test(date ?? '')) found.push(date ?? '')
    while (run.length > 0 && JOINS.has(run.at(-1)?.toLowerCase() ?? '')) run.pop()
    while (run.length > 0 && JOINS.has(run[0]?.toLowerCase() ?? '')) run.shift()
    if (isTime(run)) found.push(run.join(' '))
    run = []
  }
  for (const [i, word] of [...words, undefined].entries()) {
    // "two sprints ago": the length of a sprint is unknown.
    const [count, unit] = [words[i - 2], words[i - 1]]
    if (run.length === 0 && word?.toLowerCase() === 'ago' && unit !== undefined && COUNT.test(count ?? '')) run = [count ?? '', unit]
    if (word !== undefined && (OF_TIME.test(word) || JOINS.has(word.toLowerCase()) || (run.length > 0 && GOES_ON.test(word))))
      run.push(word)
    else end()
  }
  return found
}

function isTime(run: readonly string[]): boolean {
  const content = run.filter((word) => !JOINS.has(word.toLowerCase()))
  const says = content.some((word) => SAYS_WHEN.test(word))
  if (content.length === 1) return /^(?:christmas|easter|thanksgiving|\d\d?[./]\d\d?[./]\d{4}|\d{4}-\d\d-\d\d)$/i.test(content[0] ?? '')
  return says || (WHICH.test(content[0] ?? '') && content.slice(1).some((word) => UNIT.test(word)))
}
