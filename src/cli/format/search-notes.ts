import { plural } from '../../core/text.ts'
import type { SearchAnswer } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'

type Notes = Pick<SearchAnswer, 'matched' | 'corrections' | 'phrasings' | 'more' | 'results' | 'listed' | 'time'>

export function notices({ corrections, matched, results, listed, time: named }: Notes, width: number): string[] {
  const quoted = (word: string) => JSON.stringify(printable(word))
  const instead = corrections.map(({ typed, used }) => `searched for ${quoted(used)} instead of ${quoted(typed)}`)
  const nothing =
    results.length === 0
      ? []
      : matched === 'meaning'
        ? ['nothing matched; nearest by meaning:']
        : matched === 'none'
          ? ['nothing matched but words that every question has:']
          : []
  const time =
    listed === undefined
      ? timeNotes(named)
      : [`${listed.days}: ${listed.hits === 0 ? `nothing${nearestNote(listed)}` : `${plural(listed.hits, 'hit')} in ${counted(listed)}`}`]
  return [...instead, ...time, ...nothing].map((line) => wrap(line, width, '', 'break'))
}

function counted({ sessions, conversations }: NonNullable<Notes['listed']>): string {
  const parts = [sessions > 0 ? [plural(sessions, 'session')] : [], conversations > 0 ? [plural(conversations, 'conversation')] : []]
  return parts.flat().join(' and ')
}

export function timeNotes(named: SearchAnswer['time']): string[] {
  if (named === undefined) return []
  const { understood, not_understood } = named
  const days = understood.map(({ days }) => days)
  return [
    ...(days.length === 0 ? [] : [`time: ${days.join('; ')} (comes first)`]),
    ...not_understood.map(
      (phrase) => `time not understood: ${JSON.stringify(printable(phrase))}; write 2026-02-03, "first week of february" or "last Tuesday"`,
    ),
  ]
}

export function nearestNote({ nearest }: NonNullable<SearchAnswer['listed']>): string {
  const days = [nearest?.before, nearest?.after].filter((day) => day != null)
  return days.length === 0 ? '' : `; the nearest days with something: ${days.join(', ')}`
}

export function nearerDay(
  { before, after }: { readonly before: string | null; readonly after: string | null },
  { from, to }: { readonly from: string | null; readonly to: string | null },
): string | null {
  if (before === null || after === null || from === null || to === null) return before ?? after
  return Date.parse(from) - Date.parse(before) <= Date.parse(after) - Date.parse(to) ? before : after
}

export function phrasingLines({ phrasings = [] }: Pick<Notes, 'phrasings'>, width: number): string[] {
  return phrasings.map(({ query, found, hits, only }, i) => {
    const facts = `phrasing ${i + 1}: ${plural(hits, 'hit')} of these, ${only} by it alone, ${found} found`
    return shorten(`${facts} · ${printable(query)}`, width)
  })
}

export function moreWork({ more }: Pick<Notes, 'more'>): string[] {
  if (!more) return []
  const { work, counted, abandoned = 0 } = more
  return [
    ...(work === 0 ? [] : [`${counted ? '' : 'at least '}${plural(work, 'more tool call')}`]),
    ...(abandoned === 0 ? [] : [`${plural(abandoned, 'tool call')} on abandoned branches (--branches)`]),
  ]
}
