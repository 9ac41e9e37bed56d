/** Ledger text is cleaned here. */
import { grouped } from '../../core/text.ts'
import type { SearchGroup, SearchResult } from '../../library/index.ts'
import { bestRows, codeRows } from './code-rows.ts'
import { fitted } from './excerpt.ts'
import { shorten, width, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'
import type { Style } from './style.ts'
import { highlight } from './terms.ts'
import { around } from './text-around.ts'
import { withoutMarkup } from './without-markup.ts'

export interface FormatOptions {
  readonly style: Style
  readonly width: number
  readonly now: number
  /** Sentences before and after each excerpt, which then keeps its markup. */
  readonly context?: number
}

export const INDENT = '   '
export const LEAST_TITLE = 24
const LONGEST_PROJECT = 20
/** Longer ids (document paths) are not typed: only `--flat` prints them. */
const LONGEST_ID = 24

export function head(rank: number, title: string, facts: readonly string[], { style, width: cells }: FormatOptions): string {
  const number = style.cyan(String(rank).padEnd(2))
  const right = facts.join('  ')
  const room = cells - INDENT.length - (right === '' ? 0 : width(right) + 2)
  if (room < LEAST_TITLE && right !== '') {
    const below = shorten(right, cells - INDENT.length)
    return `${number} ${style.bold(shorten(title, cells - INDENT.length))}\n${INDENT}${style.dim(below)}`
  }
  const shown = shorten(title, room)
  const gap = ' '.repeat(right === '' ? 0 : room - width(shown) + 2)
  return `${number} ${style.bold(shown)}${gap}${style.dim(right)}`
}

export function titleOf({ session_title, source, path }: SearchResult): string {
  return printable(session_title ?? UNTITLED[source] ?? path)
}

const UNTITLED: Readonly<Record<string, string>> = { sessions: 'untitled session', events: 'untitled conversation' }

/** Place, day and id; the session's id if the hit's own is too long. The title of a document without a session already is its id. */
export function factsOf(result: SearchResult, group?: SearchGroup): string[] {
  const place = placeOf(result)
  const own = printable(result.id)
  const id = width(own) > LONGEST_ID && group !== undefined ? printable(group.id) : own
  return [
    ...(place === '' ? [] : [shorten(place, LONGEST_PROJECT)]),
    dayOf(result.timestamp),
    ...(width(id) <= LONGEST_ID && id !== titleOf(result) ? [id] : []),
  ]
}

export function dayOf(iso: string): string {
  return localTime(iso).slice(0, '2026-10-06'.length)
}

export function projectName({ project, project_name }: Pick<SearchResult | SearchGroup, 'project' | 'project_name'>): string {
  if (project_name !== null) return printable(project_name)
  const clean = printable(project ?? '')
  return clean.split(/[/\\]/).findLast((part) => part !== '') ?? clean
}

export function placeOf(hit: Pick<SearchResult | SearchGroup, 'project' | 'project_name' | 'thread_id' | 'channel'>): string {
  return hit.thread_id === '' ? projectName(hit) : printable(hit.channel ?? '')
}

export function moreOf({ more, thread_id }: Pick<SearchGroup, 'more' | 'thread_id'>): string {
  return more === 0 ? '' : `+${grouped(more)} more in this ${thread_id === '' ? 'session' : 'conversation'}`
}

const LEAST_TEXT = 12

export function textOf(result: SearchResult, lines: number, atEnd: string, options: FormatOptions): string {
  const { style, width: cells, context } = options
  const end = shorten(atEnd, Math.max(cells - INDENT.length - LEAST_TEXT, LEAST_TEXT))
  const mark = (text: string) => highlight(text, result.matched.map(printable), style.bold)
  if (context !== undefined) {
    const text = mark(wrap(printable(around(result, context)), cells, INDENT, 'break'))
    return end === '' ? text : `${text}\n${INDENT}${style.dim(end)}`
  }
  const free = end === '' ? 0 : width(end) + 2
  const room = { width: cells - INDENT.length, lines, free }
  const rows = result.kind === 'work' ? undefined : codeRows(result)
  const fit = rows === undefined ? fitted(oneLineOf(result), result.matched, room) : bestRows(rows, result.matched, room)
  const shown = fit.map((line) => INDENT + line)
  const full = shown.length === lines
  const last = shown.at(-1) ?? INDENT
  if (end === '') return mark(shown.join('\n'))
  if (!full && width(last) + free > cells) return `${mark(shown.join('\n'))}\n${INDENT}${style.dim(end)}`
  const gap = ' '.repeat(Math.max(2, cells - width(last) - width(end)))
  return `${mark(shown.join('\n'))}${gap}${style.dim(end)}`
}

export function oneLineOf(result: SearchResult): string {
  const text = printable(result.excerpt)
  // Tool output is no markdown.
  if (result.kind === 'work')
    return text
      .split(/\s*\n\s*/)
      .filter(Boolean)
      .join(' · ')
  const named = result.source === 'memory' ? text.replace(/^User: /, '') : text
  const labels = [...SIDES, ...result.speakers.map(printable)].map((speaker) => `${speaker}: `)
  return withoutMarkup(named.replace(/^… /, ''), result.matched, labels)
}

/** What stands before the words of those whom the source does not name. */
const SIDES = ['User', 'Assistant', 'Answers', 'Summary']

const MOST_PEOPLE = 5

function shortList(people: readonly string[]): string[] {
  const more = people.length - MOST_PEOPLE
  return [...people.slice(0, MOST_PEOPLE), ...(more > 0 ? [`${more} more`] : [])]
}

function speakers(all: readonly string[]): string[] {
  const isRole = (name: string | undefined) => name === 'user' || name === 'assistant'
  return all.filter((name, i) => !isRole(name) || all[i + 1] === undefined || isRole(all[i + 1]))
}

/** Omits topics: they are words of the text and say less than it. */
export function reasonsOf(result: SearchResult): string[] {
  return [
    ...(result.source === 'memory'
      ? []
      : [(result.thread_id === '' ? speakers(result.speakers) : shortList(result.people)).map(printable).join(', ')]),
    ...(result.matched.length === 0 ? [] : [`matched ${result.matched.map((term) => `"${printable(term)}"`).join(', ')}`]),
    ...(result.has_decision ? ['holds a decision'] : []),
    `score ${result.relevance_score.toFixed(2)}`,
  ].filter((reason) => reason !== '')
}

export function distrust({ trust, kind }: SearchResult): string[] {
  // Tool output is never trusted, so no note.
  return trust === 'owner' || trust === 'agent' || kind === 'work' ? [] : [`trust: ${trust}`]
}

export function replacedNote(
  { superseded_by: by, taken_back: back, changed_since }: SearchResult,
  { style, width: cells }: FormatOptions,
): string[] {
  const since = changed_since?.text ?? null
  const changed = [
    ...(back === undefined ? [] : [style.yellow(wrap(printable(`taken back in the next turn (${back.id}): ${back.text}`), cells, INDENT))]),
    ...(since === null ? [] : [style.dim(wrap(printable(since), cells, INDENT))]),
  ]
  if (by === undefined) return changed
  const where = by.cite === null ? '' : ` (${by.cite})`
  return [style.yellow(wrap(printable(`replaced on ${dayOf(by.decided_at)}${where}: ${by.text}`), cells, INDENT)), ...changed]
}

export function explanation({ explain, found_by, found_at = [] }: SearchResult, { style, width: cells }: FormatOptions): string[] {
  if (explain === undefined) return []
  const named = Object.entries(explain).map(([name, value]) => `${printable(name)} ${Number.isInteger(value) ? value : value.toFixed(3)}`)
  const phrasings =
    found_by === undefined ? [] : [`found by ${found_by.map((phrasing, i) => `phrasing ${phrasing + 1} at ${found_at[i]}`).join(', ')}`]
  return [style.dim(wrap(`explain ${[...named, ...phrasings].join(', ')}`, cells, INDENT, 'break'))]
}
