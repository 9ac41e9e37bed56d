/** Days for people to read: a heading for each, a line for each session, meeting and conversation, and below it what came of it. */
import { plural } from '../../core/text.ts'
import { wallClock } from '../../core/time.ts'
import type { ShownPerson, TimelineAnswer, TimelineDay, TimelineEntry } from '../../library/index.ts'
import { wordOf } from './events.ts'
import { width as cellsOf, shorten } from './layout.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

export interface TimelineLook {
  readonly width: number
  readonly style: Style
}

const TIMES = '09:12–11:40'.length
const LEAST_TITLE = 24
/** In less room than that, names say nothing. */
const LEAST_NAMES = 10
const INDENT = '       '
/** Names that say who took part; more are counted. */
const NAMES = 3
/** What a day is read for; the others are listed by `events`. */
const SHOWN = new Set(['decision', 'commitment', 'action_item'])

export function formatTimeline({ days, from, to, timezone }: TimelineAnswer, look: TimelineLook): string {
  if (days.length > 0) return days.map((day) => formatDay(day, timezone, look)).join('\n\n')
  const [first, last] = [wallClock(Date.parse(from), timezone).day, wallClock(Date.parse(to) - 1, timezone).day]
  return `Nothing ${first === last ? `on ${dayName(first)}` : `from ${dayName(first)} to ${dayName(last)}`}.`
}

function formatDay({ day, entries }: TimelineDay, timezone: string, look: TimelineLook): string {
  const { bold, dim } = look.style
  const lines = entries.flatMap((entry) => formatEntry(entry, timezone, look))
  return [bold(dayName(day)), ...lines, dim(summaryOf(entries))].join('\n')
}

/** Tuesday, 3 February 2026 */
function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(date)
  return `${part({ weekday: 'long' })}, ${part({ day: 'numeric', month: 'long', year: 'numeric' })}`
}

function formatEntry(entry: TimelineEntry, timezone: string, { width, style }: TimelineLook): string[] {
  const { dim, yellow, cyan } = style
  const times = timesOf(entry, timezone).padEnd(TIMES)
  const { title, facts } = fitted(entry, width - TIMES - 2)
  const line = `${dim(times)}  ${cyan(title)}${dim(facts)}`
  const below = [
    ...entry.commits.map(({ at, hash, subject }) => ({ at, mark: 'commit', painted: dim, text: `${hash.slice(0, 7)} ${subject}` })),
    ...entry.statements
      .filter(({ type }) => SHOWN.has(type))
      .map(({ at, type, words }) => ({ at, mark: wordOf(type) ?? type, painted: yellow, text: words })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return [
    line,
    ...below.map(({ at, mark, painted, text }) => {
      const start = `${INDENT}${wallClock(Date.parse(at), timezone).time} `
      return `${dim(start)}${painted(mark)} ${shorten(printable(text), width - start.length - mark.length - 1)}`
    }),
  ]
}

function timesOf({ all_day, day, from, to }: TimelineEntry, timezone: string): string {
  if (all_day) return 'all day'
  const [start, end] = [wallClock(Date.parse(from), timezone), wallClock(Date.parse(to), timezone)]
  const first = start.day === day ? start.time : '00:00'
  const last = end.day === day ? end.time : '24:00'
  return first === last ? first : `${first}–${last}`
}

function titleOf({ kind, title, people, channel }: TimelineEntry): string {
  const named = title === null || title.trim() === '' ? undefined : printable(title)
  if (kind === 'conversation') return named ?? (people.length > 0 ? namesOf(people) : channel)
  return named ?? (kind === 'meeting' ? 'meeting without a title' : 'untitled session')
}

/** Names and place give way first, then the title, but not all of it: how much there is and what to type stay. */
function fitted(entry: TimelineEntry, room: number): { readonly title: string; readonly facts: string } {
  const { about, facts } = factsOf(entry)
  const tail = joined(facts)
  const title = shorten(titleOf(entry), Math.max(room - cellsOf(tail), Math.min(LEAST_TITLE, room)))
  const left = room - cellsOf(title) - cellsOf(tail)
  const middle = joined(about)
  const kept = cellsOf(middle) <= left ? middle : left < LEAST_NAMES ? '' : ` ${shorten(middle.trimStart(), left - 1)}`
  const rest = `${kept}${tail}`
  return { title, facts: rest === '' ? '' : ` ${shorten(rest.trimStart(), Math.max(room - cellsOf(title) - 1, 1))}` }
}

function joined(facts: readonly string[]): string {
  return facts.map((fact) => ` · ${fact}`).join('')
}

function factsOf(entry: TimelineEntry): { readonly about: string[]; readonly facts: string[] } {
  const { kind, people, channel, count, project_name, id, active_ms, location, title } = entry
  const name = id === null ? [] : [printable(id)]
  if (kind === 'session')
    return { about: project_name === null ? [] : [printable(project_name)], facts: [lengthOf(active_ms), plural(count, 'turn'), ...name] }
  const who = people.length === 0 ? [] : [namesOf(people)]
  if (kind === 'meeting') return { about: [...who, ...(location === null ? [] : [printable(location)])], facts: name }
  return { about: title === null ? [] : who, facts: [printable(channel), plural(count, 'message'), ...name] }
}

function namesOf(people: readonly ShownPerson[]): string {
  const names = people.slice(0, NAMES).map(({ name, handle }) => printable(name ?? handle))
  return people.length > NAMES ? `${names.join(', ')} and ${people.length - NAMES} more` : names.join(', ')
}

function lengthOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function summaryOf(entries: readonly TimelineEntry[]): string {
  const of = (kind: TimelineEntry['kind']) => entries.filter((entry) => entry.kind === kind).length
  const commits = entries.reduce((sum, entry) => sum + entry.commits.length, 0)
  const counts = [
    [of('session'), 'session'],
    [commits, 'commit'],
    [of('meeting'), 'meeting'],
    [of('conversation'), 'conversation'],
  ] as const
  return counts.flatMap(([count, word]) => (count === 0 ? [] : [plural(count, word)])).join(', ')
}
