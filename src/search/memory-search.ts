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
  /** Fields are those of `SearchRequest`. */
  readonly query?: string
  readonly queries?: readonly string[]
  readonly prefer_project?: string
  /** `sessions`, `memory`, `events`, or a source of sessions (`claude-code` …); default all. */
  readonly sources?: readonly string[]
  readonly limit?: number
  readonly by?: 'hit' | 'session' | 'history'
  readonly exact?: boolean
  readonly nearest?: boolean
  readonly personal?: PersonalSetting
  readonly signal?: AbortSignal
  readonly filters?: Omit<SearchFilters, 'sources'>
}

export interface MemorySearchAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly MemoryHit[]
}

export interface MemoryHit extends Omit<SearchResult, 'relevance_score' | 'content' | 'explain'> {
  /** Lines of the hit in the document that `memory_get` returns; from 1, inclusive. */
  readonly start_line: number
  readonly end_line: number
  readonly match_line: number
  readonly score: number
  readonly snippet: string
  /** `path#L3-L9`, for `memory_get` and `show`. */
  readonly citation: string
  readonly trust: Trust
}

export type Search = (request: SearchRequest) => Promise<SearchAnswer>

export async function memorySearch(search: Search, source: DocumentSource, request: MemorySearchRequest): Promise<MemorySearchAnswer> {
  const { query, queries, sources = [], limit, filters, prefer_project, ...unknown } = request
  const answer = await search({
    ...unknown, // `search` rejects unknown keys by name
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
      // A tool call has no line in its turn's document.
      citation: result.kind === 'work' ? result.id : citation(result.path, start, end),
    }
  })
  return { ...answer, results }
}

export interface HitLines extends Lines {
  readonly match: number
}

export async function linesOfResults(source: DocumentSource, results: readonly SearchResult[]): Promise<HitLines[]> {
  const documents = new Map<string, Promise<TextDocument | undefined>>()
  const lines: HitLines[] = []
  for (const result of results) {
    const { path } = result
    // A document removed since the search keeps its hit, without lines.
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

function chunksOfPath(eb: ExpressionBuilder<Tables, 'chunks'>, path: string) {
  return eb.selectFrom('index_chunks as i').innerJoin('index_files as f', 'f.id', 'i.file').select('i.id').where('f.path', '=', path)
}

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
