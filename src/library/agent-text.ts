/**
 * Answers for a model to read, the same over MCP and at the command line: of each hit one line of facts and the sentences that answer, about
 * 80 tokens; marked once as data. What an agent can infer is not said: a fact that all hits share stands in the head, one that a hit above of the same
 * session has is left out. Pure.
 */
import { escapeMarks, markMemory, NOTICE } from '../core/marked-text.ts'
import { named, projectName, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import { ago } from '../core/time.ts'
import type { MemoryGetAnswer } from '../search/memory-get.ts'
import type { SearchAnswer, SearchResult } from '../search/result.ts'

/** How the reader goes on: with a tool, or with a command. */
export interface Hints {
  /** Reads more of what has that id, from a line or a turn on, with so many turns around it. */
  readonly read: (id: string, from?: number, around?: number) => string
  /** Reads more of a hit, by its number or its id. */
  readonly readHit: (number: number, id: string) => string
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
>
export type AgentAnswer = Pick<SearchAnswer, 'mode' | 'last_sync' | 'matched' | 'corrections' | 'more' | 'listed'> & {
  readonly results: readonly AgentHit[]
}

const TITLE = 44
const DAY_MS = 86_400_000

export function searchForAgent(
  { results, mode, last_sync, matched, corrections, more, listed }: AgentAnswer,
  { now, hints }: { readonly now: number; readonly hints: Hints },
): string {
  const project = shared(results.map((hit) => projectName(hit)))
  const facts = [
    `${results.length === 0 ? 'no hits' : plural(results.length, 'hit')}${listed === undefined ? '' : ` of ${listed.hits} of ${listed.days}`}`,
    ...(project === undefined ? [] : [`all in ${safe(project)}`]),
    ...(/^hybrid/.test(mode.realized) || listed !== undefined ? [] : [mode.realized]),
    ...(results.length > 0 && (matched === 'meaning' || matched === 'none') ? ['no word matched: only the nearest by meaning'] : []),
    ...corrections.map(({ typed, used }) => `searched for ${quoted(used)} instead of ${quoted(typed)}`),
    ...(more && more.work > 0 ? [`${more.counted ? '' : 'at least '}${plural(more.work, 'more tool call')} match`] : []),
    ...(more?.abandoned ? [`${plural(more.abandoned, 'tool call')} on abandoned branches (filter branches)`] : []),
    ...staleness(last_sync, now),
  ]
  const head = facts.join(', ')
  if (results.length === 0) return head
  const seen = new Set<string>()
  const lines = results.map((hit, i) => {
    const whole = hit.session_id || (hit.channel === 'calendar' ? hit.id : hit.thread_id)
    const known = whole !== '' && seen.has(whole)
    seen.add(whole)
    return hitText(hit, { number: i + 1, known, project })
  })
  return [`${head}. ${NOTICE}`, markMemory(lines.join('\n')), `More of one: ${hints.readHit(1, named(results[0]?.id ?? ''))}`].join('\n')
}

function quoted(word: string): string {
  return JSON.stringify(escapeMarks(printable(word)))
}

/** An old answer is worth a word; a fresh one is not. */
function staleness(last: string | null, now: number): string[] {
  if (last === null) return ['no sync has ended yet']
  const at = Date.parse(last)
  return now - at > DAY_MS ? [`last sync ${ago(at, now)}`] : []
}

interface Place {
  readonly number: number
  /** A hit above is of the same session: its id tells. */
  readonly known: boolean
  readonly project: string | undefined
}

function hitText(hit: AgentHit, { number, known, project }: Place): string {
  const name = projectName(hit)
  const facts = [
    `${number}.`,
    named(hit.id),
    hit.timestamp.slice(0, 10),
    ...(known || name === undefined || name === project ? [] : [safe(name)]),
    ...(known || hit.thread_id === '' || hit.channel === null ? [] : [hit.channel]),
    ...(known || hit.session_title === null ? [] : [safe(oneLine(hit.session_title, TITLE))]),
    ...(hit.trust === 'owner' || hit.trust === 'agent' ? [] : [`[${hit.trust}]`]),
    ...(hit.kind === 'work' ? ['[tool work]'] : []),
  ]
  const by = hit.superseded_by
  const replaced =
    by === undefined ? '' : `\n[replaced ${by.decided_at.slice(0, 10)}: ${safe(by.text)}${by.cite === null ? '' : ` (${named(by.cite)})`}]`
  return `${facts.join(' ')}\n${printable(hit.excerpt)}${replaced}`
}

export interface DocumentOptions {
  readonly hints: Hints
  /** The turns around it that were asked for. */
  readonly around?: number
  /** Its date and its title stand in the answer that it is a hit of. */
  readonly isHit?: boolean
}

export function documentForAgent(answer: MemoryGetAnswer, { hints, around, isHit = false }: DocumentOptions): string {
  const { id, title, timestamp, trust, from, lines, total_lines, next_from, text } = answer
  const part = lines === 0 ? `no line from ${from} on, it has ${total_lines}` : `lines ${from}–${from + lines - 1} of ${total_lines}`
  const trusted = trust === 'owner' || trust === 'agent'
  const called = title === null || isHit ? [] : [safe(oneLine(title, 2 * TITLE))]
  const facts = [
    named(id),
    ...(timestamp === null || isHit ? [] : [timestamp.slice(0, 16).replace('T', ' ')]),
    ...(trusted ? [] : [`[${trust}]`]),
    `(${part})`,
  ]
  // A title is as much its writer's as the text: it stands where nothing is advice.
  const data = [...called, printable(text).trimEnd()].filter((line) => line !== '').join('\n')
  const next = next_from === from ? 'What is left out' : 'Next'
  const more = next_from === null ? [] : [`${next}: ${hints.read(named(id), next_from, around)}`]
  return [`${facts.join(' ')}. ${NOTICE}`, ...(data === '' ? [] : [markMemory(data)]), ...more].join('\n')
}

/** What all have, where there are several. */
function shared(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values
  return values.length > 1 && values.every((value) => value === first) ? first : undefined
}
