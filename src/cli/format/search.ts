/** Ten blocks and their footer fill 40 lines of 80 columns. Pure. */
import { redactSensitiveText } from '../../core/redact.ts'
import { plural } from '../../core/text.ts'
import type { SearchAnswer, SearchGroup, SearchResult } from '../../library/index.ts'
import { shorten, width, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { since } from './quantity.ts'
import {
  dayOf,
  distrust,
  explanation,
  type FormatOptions,
  factsOf,
  head,
  INDENT,
  LEAST_TITLE,
  moreOf,
  oneLineOf,
  placeOf,
  reasonsOf,
  replacedNote,
  textOf,
  titleOf,
} from './search-hit.ts'
import { moreWork, notices, phrasingLines } from './search-notes.ts'
import { highlight } from './terms.ts'

export type Look = 'blocks' | 'flat' | 'short' | 'sessions'

export interface SearchFormat extends FormatOptions {
  readonly look: Look
  readonly within?: readonly string[]
  readonly next?: readonly string[]
}

const BLOCK_LINES = 2
const MOST_OF_LINE = 0.6
const FLAT_LINES = 5

export function shownHits({ results, groups }: SearchAnswer, look: Look): SearchResult[] {
  if (look === 'flat' || look === 'short') return [...results]
  return groups.flatMap(({ hits }) => results[hits[0] ?? -1] ?? [])
}

export function formatSearch(answer: SearchAnswer, format: SearchFormat): string {
  const { look, style, width: cells } = format
  const shown = shownHits(answer, look)
  const groupOf = (i: number) => answer.groups[i] as SearchGroup
  const entries =
    look === 'blocks'
      ? shown.map((result, i) => formatBlock(result, groupOf(i), i + 1, format))
      : look === 'flat'
        ? shown.map((result, i) => flatHit(result, i + 1, format))
        : look === 'short'
          ? shortHits(shown, format)
          : sessionLines(
              shown.map((best, i) => ({ best, group: groupOf(i) })),
              format,
            )
  const all = entries.join(look === 'blocks' || look === 'flat' ? '\n\n' : '\n')
  const phrasings = phrasingLines(answer, cells).map(style.dim)
  return [
    ...notices(answer, cells),
    ...knownLines(answer, format),
    ...(all === '' ? [] : [all]),
    ...phrasings,
    footer(answer, shown.length, format),
  ].join('\n')
}

function knownLines({ known = [] }: SearchAnswer, { width: cells, look }: SearchFormat): string[] {
  if (known.length === 0 || look === 'short') return []
  return [...known.map(({ text }) => wrap(printable(text), cells, '')), '']
}

export function formatBlock(result: SearchResult, group: SearchGroup, rank: number, options: FormatOptions): string {
  const facts = [...distrust(result), moreOf(group)].filter((part) => part !== '').join(' · ')
  const discussed = [facts, discussionOf(group)].filter((part) => part !== '').join(' · ')
  const end = width(discussed) > options.width * MOST_OF_LINE ? facts : discussed
  return [
    head(rank, titleOf(result), factsOf(result, group), options),
    textOf(result, BLOCK_LINES, end, options),
    ...replacedNote(result, options),
    ...explanation(result, options),
  ].join('\n')
}

function discussionOf({ discussion }: SearchGroup): string {
  return discussion === null ? '' : `one of ${discussion.count} on ${printable(discussion.name)}`
}

function flatHit(result: SearchResult, rank: number, options: FormatOptions): string {
  const { style, width: cells } = options
  const facts = factsOf(result)
  const id = printable(result.id)
  const long = facts.includes(id) || id === titleOf(result) ? [] : [id]
  const reasons = [...distrust(result), ...reasonsOf(result), ...long].join(' · ')
  return [
    head(rank, titleOf(result), facts, options),
    style.dim(wrap(reasons, cells, INDENT, 'break')),
    textOf(result, FLAT_LINES, '', options),
    ...replacedNote(result, options),
    ...explanation(result, options),
  ].join('\n')
}

function shortHits(shown: readonly SearchResult[], { style, width: cells }: FormatOptions): string[] {
  const ids = padded(shown.map(({ id }) => shorten(printable(id), Math.floor(cells / 3))))
  return shown.map((result, i) => {
    const facts = `${dayOf(result.timestamp)}  ${ids[i]}`
    const text = shorten(oneLineOf(result), cells - INDENT.length - width(facts) - 2)
    const marked = highlight(text, result.matched.map(printable), style.bold)
    return `${style.cyan(String(i + 1).padEnd(2))} ${style.dim(facts)}  ${marked}`
  })
}

interface FoundSession {
  readonly best: SearchResult
  readonly group: SearchGroup
}

function sessionLines(found: readonly FoundSession[], { style, width: cells }: FormatOptions): string[] {
  const hits = padded(found.map(({ group }) => plural(group.hits.length + group.more, 'hit')))
  const projects = padded(found.map(({ group }) => shorten(placeOf(group), Math.floor(cells / 6))))
  const ids = padded(found.map(({ group }) => (group.channel === null ? '' : shorten(printable(group.id), Math.floor(cells / 4)))))
  return found.map(({ best, group }, i) => {
    const facts = [hits[i], projects[i], dayOf(group.timestamp), ids[i]].filter((fact) => fact !== undefined && fact !== '').join('  ')
    const room = cells - INDENT.length - width(facts) - 2
    const line = room < LEAST_TITLE ? [dayOf(group.timestamp), ids[i]].join('  ') : facts
    const free = cells - INDENT.length - width(line) - 2
    const title = shorten(titleOf(best), free)
    const gap = ' '.repeat(Math.max(0, free - width(title)) + 2)
    return `${style.cyan(String(i + 1).padEnd(2))} ${style.bold(title)}${gap}${style.dim(line)}`.trimEnd()
  })
}

function counted(groups: readonly SearchGroup[]): string {
  const talks = groups.filter(({ thread_id }) => thread_id !== '').length
  const sessions = groups.length - talks
  const parts = [
    ...(sessions > 0 || talks === 0 ? [plural(sessions, 'session')] : []),
    ...(talks > 0 ? [plural(talks, 'conversation')] : []),
  ]
  return parts.join(', ')
}

function padded(texts: readonly string[]): string[] {
  const widest = Math.max(0, ...texts.map(width))
  return texts.map((text) => text + ' '.repeat(widest - width(text)))
}

function footer(answer: SearchAnswer, shown: number, { style, width: cells, now, look, within = [], next = [] }: SearchFormat): string {
  const synced = answer.last_sync === null ? 'never synced' : `last sync ${since(answer.last_sync, now)}`
  const { requested, realized } = answer.mode
  const mode = realized.startsWith(requested) || realized.includes(':') ? realized : `${realized} (asked for ${requested})`
  const phrasings = answer.queries.length > 1 ? [plural(answer.queries.length, 'phrasing')] : []
  const found = look === 'flat' || look === 'short' ? plural(shown, 'hit') : counted(answer.groups.slice(0, shown))
  const said = `── ${[found, ...moreWork(answer), ...phrasings, ...within.map((one) => printable(redactSensitiveText(one, { mode: 'tools' }))), mode, synced].join(' · ')}`
  const whole = next.map((one) => `${said} · ${one}`).find((line) => width(line) <= cells)
  return style.dim(wrap(whole ?? said, cells, '', 'break'))
}
