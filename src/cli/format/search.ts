/** Search hits for people: when, who, where, why, the text, and the id to cite it by. Pure; ledger text is cleaned here. */
import { plural, stripControls } from '../../core/text.ts'
import type { SearchAnswer, SearchResult } from '../../library/index.ts'
import { excerpt, highlight } from './excerpt.ts'
import { shorten, wrap } from './layout.ts'
import { since, when } from './quantity.ts'
import type { Style } from './style.ts'

export interface FormatOptions {
  readonly style: Style
  readonly width: number
  readonly now: number
}

const TEXT_CHARACTERS = 420
const NEIGHBOUR_CHARACTERS = 140
const INDENT = '   '

export function formatSearch(answer: SearchAnswer, options: FormatOptions): string {
  const hits = answer.results.map((result, i) => formatHit(result, i + 1, options))
  return [...notices(answer), ...hits, ...phrasingLines(answer, options), footer(answer, options)].join('\n\n')
}

/** What a reader must know before the hits: words that were not searched for as typed, and that nothing matched. */
export function notices({ corrections, matched, results }: Pick<SearchAnswer, 'corrections' | 'matched' | 'results'>): string[] {
  const clean = (word: string) => JSON.stringify(stripControls(word))
  const instead = corrections.map(({ typed, used }) => `searched for ${clean(used)} instead of ${clean(typed)}`)
  if (results.length > 0 && matched === 'meaning') return [...instead, 'nothing matched; nearest by meaning:']
  return results.length > 0 && matched === 'none' ? [...instead, 'nothing matched but words that every question has:'] : instead
}

/** With --explain: what each phrasing gave. */
function phrasingLines({ phrasings = [] }: SearchAnswer, { style }: FormatOptions): string[] {
  const lines = phrasings.map(({ query, found, hits, only }, i) => {
    return `phrasing ${i + 1}: ${plural(hits, 'hit')} of these, ${only} by it alone, ${found} found · ${shorten(stripControls(query), 60)}`
  })
  return lines.length === 0 ? [] : [style.dim(lines.join('\n'))]
}

function foundBy({ found_by = [], found_at = [] }: SearchResult): string {
  return found_by.length === 0
    ? ''
    : ` · found by ${found_by.map((phrasing, i) => `phrasing ${phrasing + 1} at ${found_at[i]}`).join(', ')}`
}

export function formatHit(result: SearchResult, rank: number, options: FormatOptions): string {
  const { style, width, now } = options
  const clean = (text: string) => stripControls(text)
  const title = shorten(clean(result.session_title ?? (result.source === 'memory' ? result.path : 'untitled session')), 60)
  const head = [when(result.timestamp, now), speakers(result.speakers).map(clean).join(', '), style.bold(title)].join(' · ')
  const named = result.source === 'memory' ? withoutRole : (all: string) => all
  const text = excerpt(named(clean(result.content)), result.matched, TEXT_CHARACTERS)
  const neighbours = named(clean(result.context))
    .split('\n')
    .filter((line) => line !== '')
    .map(neighbour)
  return [
    `${style.cyan(String(rank).padEnd(2))} ${head}`,
    style.dim(wrap(reasons(result).join(' · '), width, INDENT)),
    highlight(wrap(text, width, INDENT), result.matched, style.bold),
    ...neighbours.map((line) => style.dim(wrap(line, width, `${INDENT}┊ `))),
    ...(result.explain === undefined ? [] : [`${INDENT}${style.dim(explain(result.explain) + foundBy(result))}`]),
    `${INDENT}${style.dim(`cite ${clean(result.turn_id || result.path)}`)}`,
  ].join('\n')
}

/** Names in place of roles, where there are names: a role is followed by those who spoke in it. */
function speakers(all: readonly string[]): string[] {
  const isRole = (name: string | undefined) => name === 'user' || name === 'assistant'
  return all.filter((name, i) => !isRole(name) || all[i + 1] === undefined || isRole(all[i + 1]))
}

/** A document has one author, so no speaker is printed. */
function withoutRole(text: string): string {
  return text.replace(/^User: /, '').replace(/^(\[(?:before|after)\] )User: /gm, '$1')
}

function reasons(result: SearchResult): string[] {
  const clean = (text: string) => stripControls(text)
  return [
    ...(result.project === null ? [] : [`in ${clean(result.project)}`]),
    ...(result.matched.length === 0 ? [] : [`matched ${result.matched.map((term) => `"${clean(term)}"`).join(', ')}`]),
    ...(result.topics.length === 0 ? [] : [`topics ${clean(result.topics.join(', '))}`]),
    ...(result.has_decision ? ['holds a decision'] : []),
    ...(result.trust === 'owner' || result.trust === 'agent' ? [] : [`trust: ${result.trust}`]),
    `score ${result.relevance_score.toFixed(2)}`,
  ]
}

/** The end of what came before, the beginning of what came after: what is nearest to the hit. */
function neighbour(line: string): string {
  const before = /^\[before\] /.exec(line)?.[0]
  if (before === undefined || line.length <= NEIGHBOUR_CHARACTERS) return shorten(line, NEIGHBOUR_CHARACTERS)
  const end = line.slice(-NEIGHBOUR_CHARACTERS)
  return `${before}…${end.slice(end.indexOf(' ') + 1)}`
}

function explain(parts: Readonly<Record<string, number>>): string {
  const named = Object.entries(parts).map(([name, value]) => `${stripControls(name)} ${Number.isInteger(value) ? value : value.toFixed(3)}`)
  return `explain ${named.join(', ')}`
}

function footer(answer: SearchAnswer, { style, now }: FormatOptions): string {
  const synced = answer.last_sync === null ? 'never synced' : `last sync ${since(answer.last_sync, now)}`
  const { requested, realized } = answer.mode
  const mode = requested === realized ? realized : `${realized} (asked for ${requested})`
  return style.dim(`${plural(answer.results.length, 'hit')} · ${mode} · ${synced}`)
}
