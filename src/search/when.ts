/** Times that a question names, as spans. They rank hits and hide none. */
import { calendarOf } from '../core/time.ts'
import { phraseSpan } from '../core/time-phrase.ts'
import { namedTimes } from './named-times.ts'
import { relativeSpans } from './when-relative.ts'
import { MONTH_NAMES, monthNumber, SEASON_NAMES, seasonStart, type TimeSpan, type Zone, zoned } from './when-span.ts'

export type { TimeSpan } from './when-span.ts'

const DAY = 86_400_000
/** People report events a few days later. */
const TOLD_WITHIN = 7 * DAY
const TOLD_LATER = 0.7
/** "Before August 3" is open, but most of that is not meant. */
const OPEN_END = 0.5
/** Without a year it may be any of the last ones. */
const YEARS_BACK = 10
const FIRST_YEAR = 1991

const MONTH = `(?<month>${MONTH_NAMES})`
const YEAR = '(?<year>199[1-9]|20\\d\\d)'
const DATE = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?'
const LEAD = 'in|on|during|of|since|until|till|before|after|by|from|to|between|and|this|last|early|late|mid|around'
/** The first match at each position wins. */
const PATTERNS = [
  `${YEAR}-(?<digits>[01]\\d)(?:-(?<day>[0-3]\\d))?`,
  `${DATE}(?: of)? ${MONTH}(?:,? ?${YEAR})?`,
  `${MONTH} ${DATE}(?:,? ?${YEAR})?(?!\\d)`,
  `(?<season>${SEASON_NAMES})(?: of)? ${YEAR}`,
  `${MONTH},?(?: of)? ${YEAR}`,
  `(?<=\\b(?:${LEAD}) )${MONTH}`,
  `(?<=\\b(?:${LEAD}) )${YEAR}`,
].map((source) => new RegExp(`\\b${source}\\b`, 'gi'))

/** Quick test: compiling the patterns takes longer than most searches. */
const NAMES_A_DATE = /\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** Only the latest such time can be meant. */
const LATEST = new Set(['before', 'until', 'till', 'after', 'since'])
const OPENING = /\b(before|until|till|by|after|since|from) (?:the )?$/i

export function timesAsked(query: string, zone: Zone): readonly TimeSpan[] {
  const spans = timesWithoutPhrases(query, zone)
  if (spans.length > 0) return spans
  // Times without a pattern here: "the first half of last month".
  const named = namedTimes(query, zone)?.understood ?? []
  return named.flatMap(({ from, to }) => (from === null || to === null ? [] : [{ from: Date.parse(from), to: Date.parse(to), sure: 1 }]))
}

function timesWithoutPhrases(query: string, zone: Zone): readonly TimeSpan[] {
  if (!NAMES_A_DATE.test(query)) return relativeSpans(query, zone)
  const spans: TimeSpan[] = []
  let text = withoutPhrases(query, zone, spans)
  for (const pattern of PATTERNS) {
    text = text.replace(pattern, (match, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>
      const word = OPENING.exec(text.slice(0, rest.at(-3) as number))?.[1]?.toLowerCase()
      const all = absolute(groups, zone)
      // "Since October" means the last one that has begun.
      const found = LATEST.has(word ?? '') && groups.year === undefined ? all.filter(({ from }) => from <= zone.now).slice(0, 1) : all
      // Reports come on a named day, too. "Before" and "after" exclude a whole month or year.
      const apart = (word === 'before' || word === 'after') && groups.day === undefined
      spans.push(...(apart ? [] : found), ...found.flatMap((span) => openEnd(span, word)))
      return all.length === 0 ? match : ' '.repeat(match.length)
    })
  }
  return spans.length > 0 ? spans : relativeSpans(query, zone)
}

/** Parts of months, weeks, quarters, ranges. Removed once read, so that no part is read again. */
const PHRASES = new RegExp(
  [
    `\\bbetween (?:the )?(?:\\w+ )?[0-3]?\\d(?:st|nd|rd|th)? and (?:the )?[^,?.!]*?\\b(?:${MONTH_NAMES})\\b(?: [0-3]?\\d(?:st|nd|rd|th)?\\b)?(?:,? ?20\\d\\d)?`,
    `\\bbetween (?:${MONTH_NAMES}) [0-3]?\\d(?:st|nd|rd|th)? and [0-3]?\\d(?:st|nd|rd|th)?(?:,? ?20\\d\\d)?`,
    `\\bfrom (?:the )?(?:(?:${MONTH_NAMES}) )?[0-3]?\\d(?:st|nd|rd|th)?(?:(?: of)? (?:${MONTH_NAMES})\\b)?(?:,? ?20\\d\\d)? (?:to|until|till) (?:the )?(?:(?:${MONTH_NAMES}) )?[0-3]?\\d(?:st|nd|rd|th)?\\b(?:(?: of)? (?:${MONTH_NAMES})\\b)?(?:,? ?20\\d\\d)?`,
    '\\b(?:from|between) 20\\d\\d-[01]\\d-[0-3]\\d (?:to|until|till|and) 20\\d\\d-[01]\\d-[0-3]\\d\\b',
    `\\bfrom (?:${MONTH_NAMES})\\b(?:,? ?20\\d\\d)? (?:to|until|till) (?:${MONTH_NAMES})\\b(?:,? ?20\\d\\d)?`,
    `\\b(?:first|second|third|fourth|last) (?:half|week|weekend|(?:\\w+ )?days?) (?:of|in) (?:${MONTH_NAMES})\\b(?:,? ?20\\d\\d)?`,
    `\\b(?:early|mid|late|beginning of|middle of|end of)[ -](?:${MONTH_NAMES})\\b(?:,? ?20\\d\\d)?`,
    `\\bweek of (?:the )?(?:(?:${MONTH_NAMES}) )?[0-3]?\\d(?:st|nd|rd|th)?\\b(?:(?: of)? (?:${MONTH_NAMES})\\b)?(?:,? ?20\\d\\d)?`,
    '\\bq[1-4]\\b(?: 20\\d\\d)?',
  ].join('|'),
  'gi',
)

function withoutPhrases(query: string, zone: Zone, spans: TimeSpan[]): string {
  return query.replace(PHRASES, (phrase) => {
    const span = phraseSpan(phrase, calendarOf(zone))
    if (span === undefined) return phrase
    spans.push({ ...span, sure: 1 })
    return ' '.repeat(phrase.length)
  })
}

/** 1 within a span, less shortly after it, else 0. */
export function timeFit(timestamp: number, spans: readonly TimeSpan[]): number {
  let best = 0
  for (const { from, to, sure } of spans) {
    if (timestamp >= from && timestamp < to) best = Math.max(best, sure)
    else if (timestamp >= to && timestamp < to + TOLD_WITHIN) best = Math.max(best, sure * TOLD_LATER)
  }
  return best
}

function absolute({ year, month, digits, day, season }: Record<string, string | undefined>, zone: Zone): TimeSpan[] {
  const { at, year: thisYear } = zoned(zone)
  const first = digits === undefined ? (month === undefined ? undefined : monthNumber(month)) : Number(digits)
  if (first !== undefined && (first < 1 || first > 12)) return []
  const years = year === undefined ? Array.from({ length: YEARS_BACK }, (_, i) => thisYear - i) : [Number(year)]
  return years
    .filter((one) => one >= FIRST_YEAR)
    .map((one) => {
      if (season !== undefined) return { from: at(one, seasonStart(season), 1), to: at(one, seasonStart(season) + 3, 1), sure: 1 }
      if (first === undefined) return { from: at(one, 1, 1), to: at(one + 1, 1, 1), sure: 1 }
      if (day === undefined) return { from: at(one, first, 1), to: at(one, first + 1, 1), sure: 1 }
      return { from: at(one, first, Number(day)), to: at(one, first, Number(day) + 1), sure: 1 }
    })
}

function openEnd({ from, to, sure }: TimeSpan, word: string | undefined): TimeSpan[] {
  if (word === undefined) return []
  if (word === 'after' || word === 'since' || word === 'from') return [{ from: to, to: Number.POSITIVE_INFINITY, sure: sure * OPEN_END }]
  return [
    { from: from - TOLD_WITHIN, to: from, sure: sure * TOLD_LATER },
    { from: Number.NEGATIVE_INFINITY, to: from, sure: sure * OPEN_END },
  ]
}
