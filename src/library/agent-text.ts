/**
 * Search answers as text for a model, the same over MCP and at the command line. Marked once as data. Facts shared by all hits are in the head; a
 * session's facts are not repeated. Lines of text are indented by a blank, so that none can pass for a hit, a note or another speaker. Pure.
 */
import { escapeMarks, markMemory, NOTICE } from '../core/marked-text.ts'
import { named, projectName, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import { ago } from '../core/time.ts'
import { ROLE_LABELS } from '../search/excerpt.ts'
import type { MemoryGetAnswer } from '../search/memory-get.ts'
import type { SearchAnswer, SearchResult } from '../search/result.ts'

export interface Hints {
  readonly read: (id: string, from?: number, around?: number) => string
  /** Reads up to this line: as an argument without `id`, else as a call. */
  readonly before: (to: number, id?: string) => string
  readonly readHit: (number: number, id: string) => string
  /** The tool's description explains reading: answers need not. */
  readonly isTold?: boolean
  readonly nearest: string
}

export type AgentHit = Pick<
  SearchResult,
  | 'id'
  | 'kind'
  | 'timestamp'
  | 'session_id'
  | 'thread_id'
  | 'channel'
  | 'session_title'
  | 'project'
  | 'project_name'
  | 'source'
  | 'path'
  | 'trust'
  | 'excerpt'
  | 'superseded_by'
  | 'changed_since'
  | 'taken_back'
> & {
  readonly match_line?: number
  readonly speakers?: readonly string[]
}
export type AgentAnswer = Pick<
  SearchAnswer,
  'mode' | 'last_sync' | 'matched' | 'left_out' | 'history' | 'corrections' | 'more' | 'listed' | 'time' | 'hint' | 'known' | 'left_off'
> & {
  readonly results: readonly AgentHit[]
}

const TITLE = 32
/** How much of a question says which of several it is. */
const QUESTION = 48
const DAY_MS = 86_400_000

export function searchForAgent({ left_off, ...answer }: AgentAnswer, options: AgentTextOptions): string {
  if (left_off === undefined || left_off.text === '') return hitsForAgent(answer, options)
  return answer.results.length === 0 ? left_off.text : `${left_off.text}\n${hitsForAgent(answer, options)}`
}

export interface AgentTextOptions {
  readonly now: number
  readonly hints: Hints
}

export function searchesForAgent(questions: readonly string[], answers: readonly AgentAnswer[], options: AgentTextOptions): string {
  let first = 1
  const states: string[] = []
  const parts = answers.map(({ left_off, ...answer }, i) => {
    if (left_off !== undefined && left_off.text !== '') states.push(left_off.text)
    const lines = [
      `Question ${i + 1}, ${quoted(oneLine(questions[i] ?? '', QUESTION))}: ${headOf(answer, options)}`,
      ...linesOf(answer, first),
    ]
    first += answer.results.length
    return lines.join('\n')
  })
  const [id] = answers.flatMap(({ results }) => results.map((hit) => hit.id))
  return [
    `${plural(answers.length, 'question')}, ${plural(first - 1, 'hit')}. ${NOTICE}`,
    markMemory(parts.join('\n\n')),
    ...(id === undefined || options.hints.isTold ? [] : [`More of one: ${options.hints.readHit(1, named(id))}`]),
    ...states,
  ].join('\n')
}

function hitsForAgent(answer: AgentAnswer, options: AgentTextOptions): string {
  const { results } = answer
  const head = headOf(answer, options)
  const lines = linesOf(answer)
  if (lines.length === 0) return head
  const [first] = results
  const more = first === undefined || options.hints.isTold ? [] : [`More of one: ${options.hints.readHit(1, named(first.id))}`]
  return [`${head}. ${NOTICE}`, markMemory(lines.join('\n')), ...more].join('\n')
}

function headOf(
  { results, mode, last_sync, matched, left_out, history, corrections, more, listed, time, hint }: AgentAnswer,
  { now, hints }: AgentTextOptions,
): string {
  const project = projectOfAll(results)
  const facts = [
    history === undefined ? countOf(results.length, listed) : historyText(history),
    ...(listed?.hits === 0 ? nearestDays(listed) : []),
    ...(listed === undefined ? timeFacts(time) : []),
    ...(project === undefined ? [] : [`all in ${safe(project)}`]),
    ...(/^hybrid/.test(mode.realized) || listed !== undefined ? [] : [mode.realized]),
    ...(results.length > 0 && (matched === 'meaning' || matched === 'none') ? ['no word matched: only the nearest by meaning'] : []),
    ...(left_out === undefined ? [] : [`${left_out.text}${left_out.nearest ? `; nearest in meaning: ${hints.nearest}` : ''}`]),
    ...corrections.map(({ typed, used }) => `searched for ${quoted(used)} instead of ${quoted(typed)}`),
    ...(more && more.work > 0 ? [`${more.counted ? '' : 'at least '}${plural(more.work, 'more tool call')} match`] : []),
    ...(more?.abandoned ? [`${plural(more.abandoned, 'tool call')} on abandoned branches (filter branches)`] : []),
    ...staleness(last_sync, now),
  ]
  return [facts.join(', '), ...(hint === undefined ? [] : [escapeMarks(printable(hint)).replace(/\.$/, '')])].join('. ')
}

function linesOf({ results, known = [] }: AgentAnswer, first = 1): string[] {
  const project = projectOfAll(results)
  const days = new Map<string, string>()
  const lines = results.map((hit, i) => {
    const whole = hit.session_id || (hit.channel === 'calendar' ? hit.id : hit.thread_id)
    const day = dayOf(hit)
    const known = whole === '' ? undefined : days.get(whole)
    days.set(whole, day)
    return hitText(hit, { number: first + i, known: known !== undefined, sameDay: known === day, project })
  })
  return [...known.map(({ text }) => text), ...lines]
}

function projectOfAll(results: readonly AgentHit[]): string | undefined {
  return shared(results.map((hit) => projectName(hit)))
}

export function historyText({ sessions, relevant, less_relevant, counted }: NonNullable<AgentAnswer['history']>): string {
  const shown = sessions < relevant ? `the ${sessions} most relevant of ${plural(relevant, 'session')}` : plural(sessions, 'session')
  const rest = less_relevant === 0 ? '' : `; relevance ends there: ${counted ? '' : 'at least '}${less_relevant} more only touch on it`
  return `${shown} in order of time${rest}`
}

/** '2 hits'; for a time alone 'February 3, 2026: 2 of 9 hits' */
function countOf(shown: number, listed: AgentAnswer['listed']): string {
  if (listed === undefined) return shown === 0 ? 'no hits' : plural(shown, 'hit')
  if (listed.hits === 0) return `${listed.days}: nothing`
  return `${listed.days}: ${shown < listed.hits ? `${shown} of ` : ''}${plural(listed.hits, 'hit')}`
}

function nearestDays({ nearest }: NonNullable<AgentAnswer['listed']>): string[] {
  const days = [nearest?.before, nearest?.after].filter((day) => day != null)
  return days.length === 0 ? [] : [`the nearest days with something: ${days.join(', ')}`]
}

function timeFacts(time: AgentAnswer['time']): string[] {
  const understood = time?.understood.map(({ days }) => days) ?? []
  return [
    ...(understood.length === 0 ? [] : [`time: ${understood.join('; ')}`]),
    ...(time?.not_understood ?? []).map((phrase) => `time not understood: ${quoted(phrase)}`),
  ]
}

function quoted(word: string): string {
  return JSON.stringify(escapeMarks(printable(word)))
}

function staleness(last: string | null, now: number): string[] {
  if (last === null) return ['no sync has ended yet']
  const at = Date.parse(last)
  return now - at > DAY_MS ? [`last sync ${ago(at, now)}`] : []
}

interface Place {
  readonly number: number
  /** A hit above belongs to the same session. */
  readonly known: boolean
  /** And the last one of it was of the same day. */
  readonly sameDay: boolean
  readonly project: string | undefined
}

function dayOf({ timestamp }: AgentHit): string {
  return timestamp.slice(0, 10)
}

function hitText(hit: AgentHit, { number, known, sameDay, project }: Place): string {
  const name = projectName(hit)
  const facts = [
    `${number}.`,
    named(hit.id),
    ...(hit.kind === 'work' || hit.match_line === undefined ? [] : [`L${hit.match_line}`]),
    ...(sameDay ? [] : [dayOf(hit)]),
    ...(known || name === undefined || name === project ? [] : [safe(name)]),
    ...(known || hit.thread_id === '' || hit.channel === null ? [] : [hit.channel]),
    ...(known || hit.session_title === null ? [] : [safe(oneLine(hit.session_title, TITLE))]),
    ...(hit.trust === 'owner' || hit.trust === 'agent' ? [] : [`[${hit.trust}]`]),
    ...(hit.kind === 'work' ? ['[tool work]'] : []),
  ]
  const by = hit.superseded_by
  const replaced =
    by === undefined ? '' : `\n[replaced ${by.decided_at.slice(0, 10)}: ${safe(by.text)}${by.cite === null ? '' : ` (${named(by.cite)})`}]`
  const since = hit.changed_since?.text ?? null
  const back = hit.taken_back
  const next = back === undefined ? '' : `\n[taken back in the next turn, ${named(back.id)}: ${safe(back.text)}]`
  return `${facts.join(' ')}\n${textOf(hit)}${replaced}${next}${since === null ? '' : `\n[${escapeMarks(printable(since))}]`}`
}

/** Lines that are a speaker's first stand at the edge; of a document, which has none, no line does. */
function textOf({ excerpt, source, kind, speakers = [] }: AgentHit): string {
  const begins = (line: string) =>
    ROLE_LABELS.some((label) => line.startsWith(label)) ||
    speakers.some((name) => line.startsWith(`${name}:`) || line.startsWith(`${name} (`))
  const isSpoken = (line: string, i: number) => (kind === 'work' ? i === 0 : source !== 'memory' && begins(line))
  return indented(excerpt, isSpoken)
}

/** Of a turn or a conversation only the line on which a message begins stands at the edge. */
function spokenText({ text, spoken_lines }: MemoryGetAnswer): string {
  if (spoken_lines === undefined) return printable(text).trimEnd()
  const spoken = new Set(spoken_lines)
  return indented(text.trimEnd(), (line, i) => spoken.has(i + 1) || line === '…')
}

/** What only looks like the end of a line ends none: what stands behind it is of the same line. */
function indented(text: string, isEdge: (line: string, i: number) => boolean): string {
  return text
    .split('\n')
    .flatMap((line, i) => {
      const [first = '', ...rest] = printable(line).split('\n')
      return [first === '' || isEdge(line, i) ? first : ` ${first}`, ...rest.map((part) => ` ${part}`)]
    })
    .join('\n')
}

export interface DocumentOptions {
  readonly hints: Hints
  readonly around?: number
  /** The search answer already showed its date and title. */
  readonly isHit?: boolean
}

export function documentForAgent(answer: MemoryGetAnswer, options: DocumentOptions): string {
  const { head, data, more } = documentParts(answer, options)
  return [`${head}. ${NOTICE}`, ...(data === '' ? [] : [markMemory(data)]), ...more].join('\n')
}

export interface ReadDocument {
  readonly document: MemoryGetAnswer
  readonly options: Omit<DocumentOptions, 'hints'>
}

interface SeveralOptions {
  readonly hints: Hints
  readonly failed: readonly { readonly id: string; readonly message: string }[]
}

export function documentsForAgent(read: readonly ReadDocument[], { hints, failed }: SeveralOptions): string {
  const parts = read.map(({ document, options }) => documentParts(document, { hints, ...options }))
  return [
    `${plural(read.length, 'document')}. ${NOTICE}`,
    markMemory(parts.map(({ head, data }) => [`[${head}]`, ...(data === '' ? [] : [data])].join('\n')).join('\n\n')),
    ...parts.flatMap(({ more }) => more),
    ...failed.map(({ id, message }) => `Not read: ${named(id)}: ${escapeMarks(oneLine(printable(message), 2 * TITLE))}`),
  ].join('\n')
}

function documentParts(
  answer: MemoryGetAnswer,
  { hints, around, isHit = false }: DocumentOptions,
): { head: string; data: string; more: string[] } {
  const { id, kind, title, timestamp, trust, from, lines, total_lines, next_from, before_to, answers, left_out, end_from } = answer
  const unit = kind === 'session' ? 'turns' : 'lines'
  const part = lines === 0 ? `no line from ${from} on, it has ${total_lines}` : `${unit} ${from}–${from + lines - 1} of ${total_lines}`
  const trusted = trust === 'owner' || trust === 'agent'
  const called = title === null || isHit ? [] : [safe(oneLine(title, 2 * TITLE))]
  const facts = [
    named(id),
    ...(timestamp === null || isHit ? [] : [timestamp.slice(0, 16).replace('T', ' ')]),
    ...(trusted ? [] : [`[${trust}]`]),
    `(${[part, ...(end_from === undefined ? [] : [`… and from ${end_from}`]), ...(left_out === undefined ? [] : ['announcements left out'])].join(', ')})`,
  ]
  // Titles are untrusted text too: inside the data mark.
  const settles = answers === undefined || around !== undefined ? [] : [`Answers: ${safe(answers)}`]
  const data = [...called, ...settles, spokenText(answer)].filter((line) => line !== '').join('\n')
  const next = next_from !== null && next_from < from + lines ? 'What is left out' : 'Next'
  const before = around === undefined ? before_to : null
  const more =
    next_from === null
      ? before === null
        ? []
        : [`Before: ${hints.before(before, named(id))}`]
      : [`${next}: ${hints.read(named(id), next_from, around)}${before === null ? '' : ` (before: ${hints.before(before)})`}`]
  return { head: facts.join(' '), data, more }
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values
  return values.length > 1 && values.every((value) => value === first) ? first : undefined
}
