/** Ranked chunks as results. Chunks are redacted when indexed, and again here: an older version may have let more through. */
import { answersIn, chunkContent, isSummary, questionIn, type SaidInChunk, withoutSummaryFrame } from '../core/chunk-text.ts'
import { given } from '../core/given.ts'
import { ownWords, type SpokenBy } from '../core/own-words.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { clip, oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { leastTrusted, type Trust } from '../core/trust.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { ChunkRow } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'
import { excerptOf, excerptTokens, type Said } from './excerpt.ts'
import type { Owner } from './person.ts'
import type { EventFacts } from './present-events.ts'
import { publishedSessions } from './published-hits.ts'
import type { SearchResult } from './result.ts'
import { saidBySpeaker } from './said-by-speaker.ts'
import type { Sought } from './sought-words.ts'

const CONTEXT_LENGTH = 300
const TITLE_LENGTH = 200
const PATH_LENGTH = 65_536

export interface PresentOptions {
  readonly explain: boolean
  readonly branches: boolean
  readonly notes: Readonly<Record<string, number>>
  readonly sought: readonly Sought[]
  readonly owner: Owner
  readonly speaker?: SpokenBy | undefined
  readonly bare?: boolean | undefined
  readonly forSession?: boolean
}

export interface Presented {
  readonly results: readonly SearchResult[]
  readonly conversations: ReadonlyMap<string, string>
}

/** Skips chunks removed meanwhile; keeps the order. */
export async function present(store: Store, ranked: readonly Ranked[], options: PresentOptions): Promise<Presented> {
  if (ranked.length === 0) return { results: [], conversations: new Map() }
  const { speaker } = options
  const ids = ranked.flatMap(({ chunkId, joined = [] }) => [chunkId, ...joined])
  const chunks = new Map((await store.rows.chunks(ids)).map((row) => [row.id, row]))
  const published = await publishedSessions(
    store,
    [...chunks.values()].map(({ path }) => path),
  )
  const sessionOf = ({ session_id, path }: ChunkRow) => session_id ?? published.get(path)
  const sessions = await sessionsOf(store, [...chunks.values()].map(sessionOf))
  const short = await shortTurnIds(
    store,
    [...chunks.values()].flatMap(({ turn_id }) => turn_id ?? []),
  )
  const events = await eventsAmong(store, [...chunks.values()], options.owner)
  const conversations = new Map<string, string>()
  const results: SearchResult[] = []
  for (const hit of ranked) {
    const chunk = chunks.get(hit.chunkId)
    if (!chunk) continue
    const sessionId = sessionOf(chunk)
    const session = sessionId === undefined ? undefined : sessions.get(sessionId)
    const parts = [chunk, ...(hit.joined ?? []).flatMap((id) => chunks.get(id) ?? [])].toSorted((a, b) => a.chunk_index - b.chunk_index)
    const { content, said } = saidInHit(parts)
    const all = (values: (part: ChunkRow) => string) => [...new Set(parts.flatMap((part) => list(values(part))))]
    const event = events.get(chunk.id)
    if (event !== undefined) conversations.set(chunk.path, hit.group)
    const names = all((part) => part.speakers)
    const sides = speaker === undefined ? said : saidBy(parts, speaker)
    const [first] = results
    const isSequel =
      first !== undefined && first.session_id !== '' && first.session_id === sessionId && first.timestamp < toIso(chunk.timestamp)
    const place = { rank: results.length, isSequel, ...given({ forSession: options.forSession }) }
    results.push({
      id: short.get(chunk.turn_id ?? '') ?? chunk.path,
      kind: 'speech',
      session_id: sessionId ?? '',
      turn_id: chunk.turn_id ?? '',
      thread_id: '',
      channel: session?.harness ?? null,
      people: [],
      message_ids: all(({ message_ids }) => message_ids),
      path: chunk.path,
      source: chunk.source,
      harness: session?.harness ?? null,
      ledger: chunk.ledger,
      timestamp: toIso(chunk.timestamp),
      speakers: names.map((name) => safe(name, TITLE_LENGTH) ?? ''),
      session_title: session?.title ?? null,
      project: session?.project ?? null,
      project_name: session?.project_name ?? null,
      topics: all(({ topic_tags }) => topic_tags).map((tag) => safe(tag, TITLE_LENGTH) ?? ''),
      has_decision: parts.some(({ has_decision }) => has_decision === 1),
      relevance_score: Math.round(hit.score * 1e6) / 1e6,
      content,
      excerpt: options.bare
        ? ''
        : excerptOf(chunk.source === 'events' ? saidBySpeaker(sides, names) : sides, options.sought, excerptTokens(place)),
      context: options.bare ? '' : await contextOf(store, parts, options.branches),
      trust: leastTrusted(parts.map(({ trust }) => trust as Trust)),
      matched: hit.matched,
      ...event,
      ...(options.explain
        ? { explain: { ...rounded(hit.parts), ...options.notes }, ...given({ found_by: hit.foundBy, found_at: hit.foundAt }) }
        : {}),
    })
  }
  return { results: options.bare ? results : await withTakenBack(store, results, [...chunks.values()]), conversations }
}

async function withTakenBack(
  store: Store,
  results: readonly SearchResult[],
  chunks: readonly ChunkRow[],
): Promise<readonly SearchResult[]> {
  const picks = chunks.flatMap(({ turn_id, context }) => (turn_id !== null && answersIn(context) !== undefined ? [turn_id] : []))
  if (picks.length === 0) return results
  const back = await (await import('./taken-back.ts')).takenBackBy(store, picks)
  return results.map((hit) => ({ ...hit, ...given({ taken_back: back.get(hit.turn_id) }) }))
}

async function eventsAmong(store: Store, chunks: readonly ChunkRow[], owner: Owner): Promise<ReadonlyMap<number, EventFacts>> {
  if (chunks.every(({ source }) => source !== 'events')) return new Map()
  return (await import('./present-events.ts')).eventFacts(store, chunks, owner)
}

interface SessionFacts {
  readonly harness: string
  readonly title: string | null
  readonly project: string | null
  readonly project_name: string | null
}

async function sessionsOf(store: Store, all: readonly (string | undefined)[]): Promise<Map<string, SessionFacts>> {
  const ids = [...new Set(all.filter((id) => id !== undefined))]
  if (ids.length === 0) return new Map()
  const rows = await store.rows.sessions(ids)
  return new Map(
    rows.map(({ id, source, title, project, project_name }) => [
      id,
      {
        harness: source,
        title: safe(title, TITLE_LENGTH),
        project: safe(project, PATH_LENGTH),
        project_name: safe(project_name, TITLE_LENGTH),
      },
    ]),
  )
}

function safe(text: string | null, length: number): string | null {
  return text === null ? null : oneLine(redactSensitiveText(text, { mode: 'tools' }), length)
}

function list(json: string): string[] {
  return JSON.parse(json) as string[]
}

function contentOf(row: SaidInChunk): string {
  return redactSensitiveText(chunkContent(row), { mode: 'tools' })
}

/** All of it, if the speaker's words cannot be told apart. */
function saidBy(parts: readonly ChunkRow[], speaker: SpokenBy): readonly Said[] {
  const own = parts.map((part) => {
    const { user, assistant } = ownWords(part, speaker)
    return { ...part, context: '', said_user: user, said_assistant: assistant }
  })
  const { said } = saidInHit(own)
  return said.length === 0 ? saidInHit(parts).said : said
}

/** The beginning of the question, and the text before and after, in the same session or document. */
async function contextOf(store: Store, chunks: readonly ChunkRow[], branches: boolean): Promise<string> {
  const [first, last] = [chunks[0] as ChunkRow, chunks.at(-1) as ChunkRow]
  const { before, after: next } = await store.rows.around(first, branches)
  const after = first === last ? next : (await store.rows.around(last, branches)).after
  const question = questionIn(first.context)
  const lines = [
    question && `[question] ${question}`,
    before && `[before] ${clipStart(oneLine(contentOf(before), Number.MAX_SAFE_INTEGER))}`,
    after && `[after] ${clip(oneLine(contentOf(after), Number.MAX_SAFE_INTEGER), CONTEXT_LENGTH)}`,
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}

function clipStart(text: string): string {
  if (text.length <= CONTEXT_LENGTH) return text
  const end = text.slice(-CONTEXT_LENGTH)
  const space = end.indexOf(' ')
  const cut = space >= 0 && space < CONTEXT_LENGTH / 3 ? end.slice(space + 1) : end.replace(/^[\uDC00-\uDFFF]/, '')
  return `…${cut}`
}

function rounded(parts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Math.round(part * 1e6) / 1e6]))
}

export interface SaidInHit {
  readonly content: string
  readonly said: readonly Said[]
}

/** Characters. Adjacent chunks overlap less. */
const LONGEST_SHARED = 2000
const SHORTEST_SHARED = 12

export function saidInHit(chunks: readonly ChunkRow[]): SaidInHit {
  const each = chunks.map(saidInChunk)
  const [only] = each
  if (only === undefined || each.length === 1) return { content: only?.content ?? '', said: only?.said ?? [] }
  const said: Said[] = []
  let last: ChunkRow | undefined
  for (const [i, chunk] of chunks.entries()) {
    const follows = last?.chunk_index === chunk.chunk_index - 1
    for (const part of (each[i] as SaidInHit).said) {
      const before = said.at(-1)
      if (said.some(({ label, text }) => label === part.label && text.includes(part.text))) continue
      if (before?.label !== part.label) said.push(part)
      else said[said.length - 1] = { ...before, text: joined(before.text, part.text, follows) }
    }
    last = chunk
  }
  const content = said.filter(({ label }) => label !== ANSWERS).map(({ label, text }) => label + text)
  return { content: content.join('\n'), said }
}

const ANSWERS = 'Answers: '

/** If the whole chunk has no secret, neither part has one. */
function saidInChunk(chunk: ChunkRow): SaidInHit {
  const raw = chunkContent(chunk)
  const redacted = redactSensitiveText(raw, { mode: 'tools' })
  const bare = isSummary(chunk) ? withoutSummaryFrame : (text: string) => text
  const shown = (text: string) => bare(redacted === raw ? text : redactSensitiveText(text, { mode: 'tools' }))
  const isDocument = chunk.source === 'memory'
  const parts = [
    { label: ANSWERS, text: answersIn(chunk.context) ?? '' },
    { label: isDocument ? '' : chunk.user_label, text: chunk.said_user },
    { label: isDocument ? '' : chunk.assistant_label, text: chunk.said_assistant },
  ]
  return { content: bare(redacted), said: parts.flatMap(({ label, text }) => (text === '' ? [] : [{ label, text: shown(text) }])) }
}

function joined(first: string, second: string, follows: boolean): string {
  if (!follows) return `${first}\n\n${second}`
  for (let length = Math.min(first.length, second.length, LONGEST_SHARED); length >= SHORTEST_SHARED; length--)
    if (first.endsWith(second.slice(0, length))) return first + second.slice(length)
  return `${first}\n${second}`
}
