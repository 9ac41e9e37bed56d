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
const MOST_OF_LINE = 0.6
const INDENT = '       '
const NAMES = 3
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
  if (kind === 'conversation') return named ?? namesOf(people, NAMES)[0] ?? channel
  return named ?? (kind === 'meeting' ? 'meeting without a title' : 'untitled session')
}

function fitted(entry: TimelineEntry, room: number): { readonly title: string; readonly facts: string } {
  const title = titleOf(entry)
  const least = Math.min(cellsOf(title), Math.max(LEAST_TITLE, Math.floor(room * MOST_OF_LINE)))
  const facts =
    factsOf(entry)
      .map(joined)
      .find((one) => least + cellsOf(one) <= room) ?? ''
  return { title: shorten(title, room - cellsOf(facts)), facts }
}

function joined(facts: readonly string[]): string {
  return facts.map((fact) => ` · ${fact}`).join('')
}

function factsOf(entry: TimelineEntry): string[][] {
  const { kind, people, channel, count, project_name, active_ms, location, title } = entry
  const id = entry.id === null ? [] : [printable(entry.id)]
  if (kind === 'session') {
    const [length, turns] = [lengthOf(active_ms), plural(count, 'turn')]
    const project = project_name === null ? [] : [printable(project_name)]
    return [[...project, length, turns, ...id], [length, turns, ...id], [length, ...id], id]
  }
  const [all, first] = [namesOf(people, NAMES), namesOf(people, 1)]
  if (kind === 'meeting') {
    const place = location === null ? [] : [printable(location)]
    return [[...all, ...place, ...id], [...all, ...id], [...first, ...place, ...id], [...first, ...id], id]
  }
  const [where, amount] = [printable(channel), plural(count, 'message')]
  const named = [
    [...all, where, amount, ...id],
    [...all, where, ...id],
    [...first, where, amount, ...id],
    [...first, where, ...id],
  ]
  return [...(title === null ? [] : named), [where, amount, ...id], [where, ...id], id]
}

function namesOf(people: readonly ShownPerson[], most: number): string[] {
  const names = people
    .slice(0, most)
    .map(({ name, handle }) => printable(name ?? handle))
    .join(', ')
  if (people.length === 0) return []
  return people.length > most ? [`${names} and ${people.length - most} more`] : [names]
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
