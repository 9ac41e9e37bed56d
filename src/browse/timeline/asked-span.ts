/** Requested days, in words or as dates, in the owner's zone. */
import { MnemonicError } from '../../core/error.ts'
import { calendarOf, parseWhen } from '../../core/time.ts'
import { phraseSpan } from '../../core/time-phrase.ts'

export interface SpanRequest {
  /** 2026-02-03, yesterday, "last Tuesday"; may mean several days. */
  readonly day?: string
  /** Week of this day, from Monday; `true` for the current week. */
  readonly week?: string | true
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
}

export interface AskedSpan {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const MOST_DAYS = 366
const DAY_MS = 86_400_000

/** Default today. */
export function askedSpan(request: SpanRequest, when: { readonly timezone: string; readonly now: number }): AskedSpan {
  const { day, week } = request
  const [after, before] = [request.after ?? request.since, request.before ?? request.until]
  if ([day, week, after ?? before].filter((one) => one !== undefined).length > 1)
    throw new MnemonicError('USAGE', 'give a day, a week, or --after and --before: one of them', {
      hint: 'For several days: --after 2026-02-03 --before 2026-02-06',
    })
  if (after !== undefined || before !== undefined) return between(after, before, when)
  if (week !== undefined) return week === true ? spanOf('this week', when) : weekOf(week, when)
  return spanOf(day ?? 'today', when)
}

function between(after: string | undefined, before: string | undefined, when: { timezone: string; now: number }): AskedSpan {
  const to = before === undefined ? spanOf('today', when).to : parseWhen(before, when)
  const from = after === undefined ? to - 7 * DAY_MS : parseWhen(after, when)
  if (from < to && to - from <= (MOST_DAYS + 1) * DAY_MS) return { from, to }
  throw new MnemonicError('USAGE', `a timeline shows 1 to ${MOST_DAYS} days`, {
    details: { after: after ?? null, before: before ?? null },
    hint: from < to ? 'Ask for a part of it.' : 'The first time is not before the second.',
  })
}

function spanOf(text: string, when: { timezone: string; now: number }): AskedSpan {
  // parseWhen rejects anything that is no time.
  const span = phraseSpan(text, calendarOf(when)) ?? dayAround(parseWhen(text, when), when)
  if (span.to - span.from > (MOST_DAYS + 1) * DAY_MS) throw tooLong(text)
  return span
}

function weekOf(text: string, when: { timezone: string; now: number }): AskedSpan {
  const calendar = calendarOf(when)
  const named = phraseSpan(text, calendar)
  if (named !== undefined && named.to - named.from > DAY_MS * 1.5) return named // "last week"
  const { year, month, day } = calendarOf({ timezone: when.timezone, now: named?.from ?? parseWhen(text, when) })
  const back = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  return { from: calendar.at(year, month, day - back), to: calendar.at(year, month, day - back + 7) }
}

function dayAround(at: number, { timezone }: { timezone: string }): AskedSpan {
  const { year, month, day, at: midnight } = calendarOf({ timezone, now: at })
  return { from: midnight(year, month, day), to: midnight(year, month, day + 1) }
}

function tooLong(text: string): MnemonicError {
  return new MnemonicError('USAGE', `a timeline shows 1 to ${MOST_DAYS} days`, { details: { value: text.slice(0, 100) } })
}
