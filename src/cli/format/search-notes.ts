/** What an answer says beside its hits, where it says it: words that were searched for instead, that nothing matched, what each phrasing gave. */
import { plural } from '../../core/text.ts'
import type { SearchAnswer } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'

type Notes = Pick<SearchAnswer, 'matched' | 'corrections' | 'phrasings' | 'more' | 'results' | 'listed'>

/** What a reader must know before the hits. */
export function notices({ corrections, matched, results, listed }: Notes, width: number): string[] {
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
    listed === undefined ? [] : [`${listed.days}: ${listed.hits === 0 ? 'nothing' : `${plural(listed.hits, 'hit')} in ${counted(listed)}`}`]
  return [...instead, ...time, ...nothing].map((line) => wrap(line, width, '', 'break'))
}

function counted({ sessions, conversations }: NonNullable<Notes['listed']>): string {
  const parts = [sessions > 0 ? [plural(sessions, 'session')] : [], conversations > 0 ? [plural(conversations, 'conversation')] : []]
  return parts.flat().join(' and ')
}

/** With --explain: what each phrasing gave. */
export function phrasingLines({ phrasings = [] }: Pick<Notes, 'phrasings'>, width: number): string[] {
  return phrasings.map(({ query, found, hits, only }, i) => {
    const facts = `phrasing ${i + 1}: ${plural(hits, 'hit')} of these, ${only} by it alone, ${found} found`
    return shorten(`${facts} · ${printable(query)}`, width)
  })
}

/** For the footer. */
export function moreWork({ more }: Pick<Notes, 'more'>): string[] {
  if (!more) return []
  const { work, counted, abandoned = 0 } = more
  return [
    ...(work === 0 ? [] : [`${counted ? '' : 'at least '}${plural(work, 'more tool call')}`]),
    ...(abandoned === 0 ? [] : [`${plural(abandoned, 'tool call')} on abandoned branches (--branches)`]),
  ]
}
