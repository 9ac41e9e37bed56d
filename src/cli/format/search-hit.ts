/** The parts of a hit for people: its head, its text, its reasons. Pure; ledger text is cleaned here. */
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
  /** So many sentences before and after each excerpt, which is then shown as it is written. */
  readonly context?: number
}

export const INDENT = '   '
/** Where there is less room beside the facts, they get a line of their own. */
export const LEAST_TITLE = 24
const LONGEST_PROJECT = 20
/** A longer id (the path of a document) is not what people type: `--flat` prints it whole. */
const LONGEST_ID = 24

/** The number and the title, and on the right where, when and the id; on a narrow terminal those come below. */
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

/** Where, when, and the id; that of the session where its own is too long. The title of a document without a session is its id already. */
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

/** On the owner's clock. */
export function dayOf(iso: string): string {
  return localTime(iso).slice(0, '2026-10-06'.length)
}

/** The repository's name, or until it is known the folder's own: `--project` takes it. */
export function projectName({ project, project_name }: Pick<SearchResult | SearchGroup, 'project' | 'project_name'>): string {
  if (project_name !== null) return printable(project_name)
  const clean = printable(project ?? '')
  return clean.split(/[/\\]/).findLast((part) => part !== '') ?? clean
}

/** The project of a session, the channel of a conversation. */
export function placeOf(hit: Pick<SearchResult | SearchGroup, 'project' | 'project_name' | 'thread_id' | 'channel'>): string {
  return hit.thread_id === '' ? projectName(hit) : printable(hit.channel ?? '')
}

export function moreOf({ more, thread_id }: Pick<SearchGroup, 'more' | 'thread_id'>): string {
  return more === 0 ? '' : `+${grouped(more)} more in this ${thread_id === '' ? 'session' : 'conversation'}`
}

/** Cells of the last line that are the text's own. */
const LEAST_TEXT = 12

/** The sentences that answer, in so many lines, with `end` at the end of the last; with `--context` all of them and those around. */
export function textOf(result: SearchResult, lines: number, atEnd: string, options: FormatOptions): string {
  const { style, width: cells, context } = options
  // Never the whole line: what answers comes first.
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

/** The excerpt as running text. */
export function oneLineOf(result: SearchResult): string {
  const text = printable(result.excerpt)
  // What a tool printed is no markdown: the call, and the line that was found.
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

/** Names in place of roles, where there are names: a role is followed by those who spoke in it. */
function speakers(all: readonly string[]): string[] {
  const isRole = (name: string | undefined) => name === 'user' || name === 'assistant'
  return all.filter((name, i) => !isRole(name) || all[i + 1] === undefined || isRole(all[i + 1]))
}

/** Who, and why it is a hit. Topics are not among them: they are words of the text, and say less than its sentences. */
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

/** Whose words these are, where nobody answers for them; nothing else about a hit matters as much. */
export function distrust({ trust, kind }: SearchResult): string[] {
  // Nobody answers for what a tool printed: that is no news.
  return trust === 'owner' || trust === 'agent' || kind === 'work' ? [] : [`trust: ${trust}`]
}

/** What was decided here holds no longer, and what became of the files. */
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

/** With --explain: the parts of the score, and which phrasings found it. */
export function explanation({ explain, found_by, found_at = [] }: SearchResult, { style, width: cells }: FormatOptions): string[] {
  if (explain === undefined) return []
  const named = Object.entries(explain).map(([name, value]) => `${printable(name)} ${Number.isInteger(value) ? value : value.toFixed(3)}`)
  const phrasings =
    found_by === undefined ? [] : [`found by ${found_by.map((phrasing, i) => `phrasing ${phrasing + 1} at ${found_at[i]}`).join(', ')}`]
  return [style.dim(wrap(`explain ${[...named, ...phrasings].join(', ')}`, cells, INDENT, 'break'))]
}
