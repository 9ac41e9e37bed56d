/** A question that is only a time: "2026-01-14", "yesterday", "what did we do last Tuesday?". The answer lists everything of that time. */
import { calendarOf, formatInZone } from '../core/time.ts'
import { type PhraseSpan, phraseSpan } from '../core/time-phrase.ts'
import { daysOf } from './named-times.ts'
import { isEmptyWord, isStopWord } from './stop-words.ts'
import type { Zone } from './when-span.ts'

export interface TimeAlone extends PhraseSpan {
  /** For people, in the owner's zone: "January 14, 2026", "since November 9, 2026". */
  readonly days: string
  /** The question without its time: only filler words. */
  readonly rest: string
  readonly said: string
}

const LONGEST = 20
const HAPPENED = new Set(
  `happen happens happened happening going go goes went gone work works worked working done up been busy accomplish accomplished achieve achieved
  progress session sessions conversation conversations chat chats activity activities everything history day days catch list give summary
  summarize summarise recap overview claude agent agents`.split(/\s+/),
)
/** In small letters inside a sentence, mostly verbs. */
const VERBS = new Set(['may', 'march', 'fall', 'spring', 'now'])
/** Beginning of a time word. Any other word that is no filler gives the question a subject. */
const OF_TIME =
  /^(?:\p{P}*\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|spring|summer|autumn|fall|winter|q[1-4]|yester|today|tonight|tomorrow|now|last|next|this|past|previous|recent|lately|current|fifth|final|h[12]$|early|mid|late|begin|start|middle|end|half|first|second|third|fourth|hour|minute|day|week|yest|calendar$|iso$|fortnight|month|quarter|year|decade|morning|noon|afternoon|evening|night|ago|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple|few|several|between|from|to|till|until|since|before|after)/iu
const OPENING: Readonly<Record<string, 'from' | 'to'>> = { since: 'from', after: 'from', before: 'to', until: 'to', till: 'to' }

export function timeAlone(query: string, zone: Zone): TimeAlone | undefined {
  const words = query
    .replace(/[?!.]+\s*$/, '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0 || words.length > LONGEST) return undefined
  if (!words.every((word) => isAboutNothing(word) || OF_TIME.test(word))) return undefined
  const calendar = calendarOf(zone)
  for (let length = words.length; length > 0; length--) {
    for (let first = 0; first + length <= words.length; first++) {
      const said = words.slice(first, first + length).join(' ')
      const span = length < words.length && VERBS.has(said) ? undefined : phraseSpan(said.replace(/,$/, ''), calendar)
      if (span === undefined) continue
      const rest = [...words.slice(0, first), ...words.slice(first + length)]
      if (!rest.every(isAboutNothing)) return undefined
      return opened(span, words[first - 1]?.toLowerCase() ?? '', { zone, said, rest: withoutVerbs(rest) })
    }
  }
  return undefined
}

/** "Happened", "tell", "show" alone would match only turns that hold them. */
function withoutVerbs(words: readonly string[]): string {
  return words
    .filter((word) => {
      const bare = bareOf(word)
      return !HAPPENED.has(bare) && (isEmptyWord(bare) || !isStopWord(bare))
    })
    .join(' ')
}

function bareOf(word: string): string {
  return word.toLowerCase().replace(/^[("'“‘]+|[)"'”’,;:]+$|['’]s$/g, '')
}

function isAboutNothing(word: string): boolean {
  const bare = bareOf(word)
  return bare === '' || isStopWord(bare) || HAPPENED.has(bare)
}

/** "Since Monday" goes on; "before Monday" ends where it begins. "After" excludes the time itself, "until" includes it. */
function opened({ from, to }: PhraseSpan, word: string, asked: { zone: Zone; said: string; rest: string }): TimeAlone {
  const { zone, said, rest } = asked
  const day = (at: number) => formatInZone(at, zone.timezone).replace(/ at .*$/, '')
  const open = OPENING[word]
  if (open === 'from') {
    const begin = word === 'after' ? to : from
    return { from: begin, to: Number.POSITIVE_INFINITY, days: `since ${day(begin)}`, rest, said }
  }
  if (open === 'to') {
    const end = word === 'before' ? from : to
    return { from: Number.NEGATIVE_INFINITY, to: end, days: `before ${day(end)}`, rest, said }
  }
  return { from, to, days: daysOf({ from, to }, zone), rest, said }
}
