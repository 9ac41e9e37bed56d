/**
 * Ranked chunks as results that are useful alone: dated, cited, with the text around them. Chunks were redacted when they were indexed; an
 * index that an older version made may hold what that version let through, so they are redacted once more.
 */
import { chunkContent, questionIn, type SaidInChunk } from '../core/chunk-text.ts'
import { given } from '../core/given.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { clip, oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { ChunkRow } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Ranked } from './candidate.ts'
import { excerptOf, excerptTokens, type Said } from './excerpt.ts'
import type { Owner } from './person.ts'
import type { EventFacts } from './present-events.ts'
import { publishedSessions } from './published-hits.ts'
import type { SearchResult } from './result.ts'
import type { Sought } from './sought-words.ts'

const CONTEXT_LENGTH = 300
const TITLE_LENGTH = 200
const PATH_LENGTH = 65_536

export interface PresentOptions {
  readonly explain: boolean
  readonly branches: boolean
  /** What the plan left out, for --explain. */
  readonly notes: Readonly<Record<string, number>>
  /** What the question looks for: an excerpt is made of the sentences that hold it. */
  readonly sought: readonly Sought[]
  readonly owner: Owner
  /** Only what was found: no excerpt, and nothing of what stands around it. */
  readonly bare?: boolean | undefined
}

export interface Presented {
  readonly results: readonly SearchResult[]
  /** The conversation of each document that is in one. */
  readonly conversations: ReadonlyMap<string, string>
}

/** One result for each ranked chunk that is still there, in the same order. */
export async function present(store: Store, ranked: readonly Ranked[], options: PresentOptions): Promise<Presented> {
  if (ranked.length === 0) return { results: [], conversations: new Map() }
  const ids = ranked.map(({ chunkId }) => chunkId)
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
    if (!chunk) continue // replaced by a sync since it was found
    const sessionId = sessionOf(chunk)
    const session = sessionId === undefined ? undefined : sessions.get(sessionId)
    const raw = chunkContent(chunk)
    const content = redactSensitiveText(raw, { mode: 'tools' })
    const event = events.get(chunk.id)
    if (event !== undefined) conversations.set(chunk.path, hit.group)
    results.push({
      id: short.get(chunk.turn_id ?? '') ?? chunk.path,
      kind: 'speech',
      session_id: sessionId ?? '',
      turn_id: chunk.turn_id ?? '',
      thread_id: '',
      channel: session?.harness ?? null,
      people: [],
      message_ids: list(chunk.message_ids),
      path: chunk.path,
      source: chunk.source,
      harness: session?.harness ?? null,
      ledger: chunk.ledger,
      timestamp: toIso(chunk.timestamp),
      speakers: list(chunk.speakers).map((name) => safe(name, TITLE_LENGTH) ?? ''),
      session_title: session?.title ?? null,
      project: session?.project ?? null,
      project_name: session?.project_name ?? null,
      topics: list(chunk.topic_tags).map((tag) => safe(tag, TITLE_LENGTH) ?? ''),
      has_decision: chunk.has_decision === 1,
      relevance_score: Math.round(hit.score * 1e6) / 1e6,
      content,
      excerpt: options.bare ? '' : excerptOf(saidIn(chunk, content !== raw), options.sought, excerptTokens(results.length)),
      context: options.bare ? '' : await contextOf(store, chunk, options.branches),
      trust: chunk.trust as Trust,
      matched: hit.matched,
      ...event,
      ...(options.explain
        ? { explain: { ...rounded(hit.parts), ...options.notes }, ...given({ found_by: hit.foundBy, found_at: hit.foundAt }) }
        : {}),
    })
  }
  return { results, conversations }
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

/**
 * A document has one author, whom its text does not name; a published file has none. Where nothing in the whole chunk is a secret, nothing in
 * what one side said is.
 */
function saidIn({ said_user, said_assistant, user_label, assistant_label, source }: ChunkRow, redacted: boolean): Said[] {
  const parts = [
    { label: source === 'memory' ? '' : user_label, text: said_user },
    { label: source === 'memory' ? '' : assistant_label, text: said_assistant },
  ]
  return parts.flatMap(({ label, text }) =>
    text === '' ? [] : [{ label, text: redacted ? redactSensitiveText(text, { mode: 'tools' }) : text }],
  )
}

/** How the question began, the end of what came before and the beginning of what came next, in the same session or document. */
async function contextOf(store: Store, chunk: ChunkRow, branches: boolean): Promise<string> {
  const { before, after } = await store.rows.around(chunk, branches)
  const question = questionIn(chunk.context)
  const lines = [
    question && `[question] ${question}`,
    before && `[before] ${clipStart(oneLine(contentOf(before), Number.MAX_SAFE_INTEGER))}`,
    after && `[after] ${clip(oneLine(contentOf(after), Number.MAX_SAFE_INTEGER), CONTEXT_LENGTH)}`,
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}

/** The last characters, from a word's beginning on. */
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
