/** `memory_search`: search as agents know it, over session history and documents, each hit with its lines. Reads only. */
import type { ExpressionBuilder } from 'kysely'
import { given } from '../core/given.ts'
import type { Trust } from '../core/trust.ts'
import type { Tables } from '../store/tables.ts'
import { citation } from './memory-citation.ts'
import { documentByPath, ifNotFound } from './memory-get-document.ts'
import { type ChunkText, type Lines, lineOfMatch, linesOfChunk } from './memory-lines.ts'
import type { PersonalSetting } from './personal-scope.ts'
import type { SearchAnswer, SearchFilters, SearchRequest, SearchResult } from './result.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'

export interface MemorySearchRequest {
  /** May be left out where `queries` has one. */
  readonly query?: string
  /** Further phrasings of the same question. */
  readonly queries?: readonly string[]
  /** A folder: hits of its project come a little earlier. */
  readonly prefer_project?: string
  /** `sessions`, `memory`, `events`, or a source of sessions (`claude-code` …); all when absent or empty. */
  readonly sources?: readonly string[]
  /** 1 to 200. */
  readonly limit?: number
  /** As of `search`. */
  readonly by?: 'hit' | 'session' | 'history'
  /** The words as they are typed: no typing error is corrected, and a time alone is looked for as words. */
  readonly exact?: boolean
  /** As of `search`. */
  readonly nearest?: boolean
  /** As of `search`. */
  readonly personal?: PersonalSetting
  /** Stops the search before its next phrasing. */
  readonly signal?: AbortSignal
  readonly filters?: Omit<SearchFilters, 'sources'>
}

export interface MemorySearchAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly MemoryHit[]
}

/** snake_case: the JSON of the tool. */
export interface MemoryHit extends Omit<SearchResult, 'relevance_score' | 'content' | 'explain'> {
  /** The first and the last line of the text found, in the document as `memory_get` gives it; from 1, inclusive. */
  readonly start_line: number
  readonly end_line: number
  /** The line of these that answers best: `memory_get` of the hit starts there. */
  readonly match_line: number
  /** 0 to 1, falls with rank. */
  readonly score: number
  /** The two or three sentences of those lines that answer: the same as `excerpt`. */
  readonly snippet: string
  /** `path#L3-L9`: `memory_get` and `show` take it back. */
  readonly citation: string
  readonly trust: Trust
}

export type Search = (request: SearchRequest) => Promise<SearchAnswer>

export async function memorySearch(search: Search, source: DocumentSource, request: MemorySearchRequest): Promise<MemorySearchAnswer> {
  const { query, queries, sources = [], limit, filters, prefer_project, ...unknown } = request
  const answer = await search({
    ...unknown, // whatever else was given is refused there, by name
    ...given({ query, queries, prefer_project }),
    filters: { ...filters, ...(sources.length === 0 ? {} : { sources }) },
    ...given({ limit }),
  })
  const lines = await linesOfResults(source, answer.results)
  const results = answer.results.map((result, i): MemoryHit => {
    const { relevance_score, content: _content, explain: _explain, ...presentation } = result
    const { start, end, match } = lines[i] as HitLines
    return {
      ...presentation,
      start_line: start,
      end_line: end,
      match_line: match,
      score: relevance_score,
      snippet: result.excerpt,
      // What a tool call did stands in no line of its turn's document.
      citation: result.kind === 'work' ? result.id : citation(result.path, start, end),
    }
  })
  return { ...answer, results }
}

export interface HitLines extends Lines {
  /** That of the match. */
  readonly match: number
}

/** The lines of each result, in order. A document is made once, however many of its chunks were found. */
export async function linesOfResults(source: DocumentSource, results: readonly SearchResult[]): Promise<HitLines[]> {
  const documents = new Map<string, Promise<TextDocument | undefined>>()
  const lines: HitLines[] = []
  for (const result of results) {
    const { path } = result
    // A document that was removed since the search still has its hit; its lines are not known any more.
    if (!documents.has(path)) documents.set(path, documentByPath({ ...source, agentId: 'all' }, path).catch(ifNotFound))
    const document = await documents.get(path)
    const chunks = await chunksOf(source, result)
    const length = result.content.split('\n').length
    const each = document === undefined ? [] : chunks.map((chunk) => linesOfChunk(document, chunk))
    const [first] = each
    if (document === undefined || first === undefined) {
      lines.push({ start: 1, end: length, match: 1 })
      continue
    }
    const span = { start: Math.min(...each.map(({ start }) => start)), end: Math.max(...each.map(({ end }) => end)) }
    lines.push({ ...span, match: lineOfMatch(document.text, span, result) })
  }
  return lines
}

/** Of a document without a turn. */
function chunksOfPath(eb: ExpressionBuilder<Tables, 'chunks'>, path: string) {
  return eb.selectFrom('index_chunks as i').innerJoin('index_files as f', 'f.id', 'i.file').select('i.id').where('f.path', '=', path)
}

/** The columns that a result's content was put together from: of each chunk that is in it. */
async function chunksOf({ store }: DocumentSource, { path, source, content, turn_id }: SearchResult): Promise<ChunkText[]> {
  const rows = await store.read
    .selectFrom('chunks')
    .select(['said_user', 'said_assistant', 'message_ids'])
    .where((eb) => (turn_id ? eb('turn_id', '=', turn_id) : eb('id', 'in', chunksOfPath(eb, path))))
    .where('source', '=', source)
    .execute()
  const held = rows.filter(({ said_user, said_assistant }) => content.includes(said_user) && content.includes(said_assistant))
  return held.map(({ said_user, said_assistant, message_ids }) => ({
    ...{ saidUser: said_user, saidAssistant: said_assistant, messageIds: JSON.parse(message_ids) as string[] },
  }))
}
