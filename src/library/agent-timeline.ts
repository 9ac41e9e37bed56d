import type { TimelineEntry } from '../browse/timeline/entry.ts'
import type { TimelineAnswer } from '../browse/timeline/timeline.ts'
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import { wallClock } from '../core/time.ts'
import { tokenCost } from '../core/tokens.ts'

const TITLE = 80
const WORDS = 160
const NAMES = 3
const SHOWN = new Set(['decision', 'commitment', 'action_item'])

export interface TimelineOptions {
  /** Tokens. */
  readonly budget: number
  readonly readHit: (number: number) => string
}

export interface TimelineText {
  readonly text: string
  readonly entries: readonly TimelineEntry[]
}

export function timelineForAgent(
  { days, from, to, timezone, nearest }: TimelineAnswer,
  { budget, readHit }: TimelineOptions,
): TimelineText {
  const [first, last] = [wallClock(Date.parse(from), timezone).day, wallClock(Date.parse(to) - 1, timezone).day]
  const span = first === last ? first : `${first} to ${last}`
  if (days.length === 0) {
    const near = [nearest?.before, nearest?.after].filter((day) => day != null)
    return { text: `nothing on ${span}${near.length === 0 ? '' : `; the nearest days with something: ${near.join(', ')}`}`, entries: [] }
  }
  const shown: TimelineEntry[] = []
  const lines: string[] = []
  let left = budget
  const all = days.reduce((sum, { entries }) => sum + entries.length, 0)
  day: for (const { day, entries } of days) {
    for (const [i, entry] of entries.entries()) {
      const text = [...(i === 0 ? [day] : []), entryText(entry, shown.length + 1, timezone)].join('\n')
      left -= tokenCost(text)
      if (left < 0 && shown.length > 0) break day
      shown.push(entry)
      lines.push(text)
    }
  }
  const more = all - shown.length
  const text = [
    `${span} (${timezone}): ${plural(all, 'entry')}. ${NOTICE}`,
    markMemory(lines.join('\n')),
    ...(more > 0 ? [`${plural(more, 'more entry', 'more entries')}: ask for fewer days, or for a project.`] : []),
    `More of one: ${readHit(1)}`,
  ]
  return { text: text.join('\n'), entries: shown }
}

function entryText(entry: TimelineEntry, number: number, timezone: string): string {
  const { kind, id, title, project_name, people, channel, count, commits, statements } = entry
  const facts = [
    `${number}.`,
    timesOf(entry, timezone),
    ...(id === null ? [] : [named(id)]),
    ...(kind === 'session' ? [] : [kind === 'meeting' ? 'meeting' : safe(channel)]),
    ...(project_name === null ? [] : [safe(project_name)]),
    ...(title === null ? [] : [safe(oneLine(title, TITLE))]),
    ...(people.length === 0 ? [] : [`with ${namesOf(people)}`]),
    ...(kind === 'meeting' ? [] : [`(${plural(count, kind === 'session' ? 'turn' : 'message')})`]),
  ]
  const below = [
    ...commits.map(({ at, hash, subject }) => ({ at, text: `commit ${hash.slice(0, 7)} ${subject}` })),
    ...statements
      .filter(({ type }) => SHOWN.has(type))
      .map(({ at, type, words, trust }) => ({
        at,
        text: `${type.replace('_', ' ')}${trust === 'owner' || trust === 'agent' ? '' : ` [${trust}]`}: ${words}`,
      })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return [facts.join(' '), ...below.map(({ text }) => `   ${oneLine(printable(text), WORDS)}`)].join('\n')
}

function timesOf({ all_day, day, from, to }: TimelineEntry, timezone: string): string {
  if (all_day) return 'all day'
  const [start, end] = [wallClock(Date.parse(from), timezone), wallClock(Date.parse(to), timezone)]
  const [first, last] = [start.day === day ? start.time : '00:00', end.day === day ? end.time : '24:00']
  return first === last ? first : `${first}–${last}`
}

function namesOf(people: TimelineEntry['people']): string {
  const names = people.slice(0, NAMES).map(({ name, handle }) => safe(name ?? handle))
  return people.length > NAMES ? `${names.join(', ')} and ${people.length - NAMES} more` : names.join(', ')
}
