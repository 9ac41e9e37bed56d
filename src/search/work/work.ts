/**
 * Tool work beside speech. It stands behind speech and fills up. A phrase, error, file, command or hash puts it beside speech, or before it
 * if no speech matches. Filters by file, tool, command or errors search tool work alone.
 */
import { MnemonicError } from '../../core/error.ts'
import { bareWords } from '../../core/text.ts'
import type { Store } from '../../store/store.ts'
import type { SearchAnswer, SearchFilters, SearchResult } from '../result.ts'
import type { Scope } from '../scope.ts'
import type { FoundWork } from './find.ts'
import { sharedIntent } from './intent.ts'

export interface WorkSearch {
  readonly store: Store
  readonly queries: readonly string[]
  readonly filters: SearchFilters
  readonly scope: Scope
  readonly limit: number
  readonly by: 'hit' | 'session'
  readonly explain: boolean
}

export interface WithWork {
  readonly results: readonly SearchResult[]
  readonly groups: readonly { readonly group: string }[]
  readonly more: NonNullable<SearchAnswer['more']> | null
}

/** Throws USAGE for a filter that tool work does not have. */
export function onlyWork(filters: SearchFilters): boolean {
  const asked = (['file', 'tool', 'command'] as const).some((key) => filters[key] !== undefined) || filters.errors === true
  const spoken = (['speaker', 'topics', 'has_decision', 'from', 'to', 'with'] as const).filter((key) => filters[key] !== undefined)
  if (filters.ledger === 'events') spoken.push('ledger' as never)
  if (asked && spoken.length > 0)
    throw new MnemonicError('USAGE', `tool calls have no ${spoken.join(', ')}: these filters are for what was said`, {
      details: { keys: spoken },
      hint: 'Leave them out, or search without file, tool, command and errors.',
    })
  return asked
}

export async function withWork(search: WorkSearch, speech: readonly SearchResult[]): Promise<WithWork> {
  const { store, queries, filters, limit, by, explain } = search
  const alone = onlyWork(filters)
  const found = speechIsEnough(search, speech, alone) ? undefined : await find(search, alone)
  if (found === undefined) return { results: speech, groups: [], more: null }
  const { presentWork } = await import('./present.ts')
  const wanted = by === 'session' ? limit * 3 : limit
  const { results: work, sessions } = await presentWork(store, found.ids, { ...found, limit: wanted, explain })
  const merged = scored(ordered(speech, work, found, queries), found)
  const results = (by === 'session' ? oneOfEach(merged) : merged).slice(0, limit)
  const shown = results.filter(({ kind }) => kind === 'work').length
  // Calls with only some words of a question are not counted as more.
  const counting = alone || found.exact ? sessions : work.map(({ session_id }) => session_id)
  const groups = counting.map((group) => ({ group }))
  const { total, counted, abandoned } = found
  return { results, groups, more: { work: Math.max(0, total - shown), counted, ...(abandoned > 0 ? { abandoned } : {}) } }
}

/** A plain question with a full answer skips tool work: its words are in a thousand calls. */
function speechIsEnough({ queries, filters, scope, limit }: WorkSearch, speech: readonly SearchResult[], alone: boolean): boolean {
  if (alone) return false
  const { speaker, topics, has_decision, ledger } = filters
  const { people, channels, entity } = scope.filter
  if (people !== undefined || entity !== undefined || channels?.sessions.length === 0) return true
  if (speaker !== undefined || scope.speaker || topics !== undefined || has_decision !== undefined || ledger === 'events') return true
  if (queries.every((query) => query.trim() === '')) return true
  if (sharedIntent(queries) !== undefined) return false
  return speech.length >= limit && speech.some(({ matched }) => matched.length > 0)
}

async function find({ store, queries, filters, scope, limit }: WorkSearch, alone: boolean): Promise<FoundWork> {
  const { findWork, workFilter } = await import('./find.ts')
  const filter = workFilter(filters, scope)
  const found = await findWork(store, queries, { filter, limit })
  if (alone && found.ids.length === 0) await (await import('./known.ts')).checkWorkNames(store, filter)
  return found
}

function ordered(
  speech: readonly SearchResult[],
  work: readonly SearchResult[],
  { intent, exact }: FoundWork,
  queries: readonly string[],
): SearchResult[] {
  if (intent === undefined) {
    const said = speech.some(({ matched }) => matched.length > 0)
    return said || !exact ? [...speech, ...work] : [...work, ...speech]
  }
  const held = speech.filter(({ content }) => queries.some((query) => holds(content, query)))
  const others = speech.filter((result) => !held.includes(result))
  if (intent === 'file') return [...inTurn(held.length > 0 ? [held, work] : [work, others]), ...others].filter(once())
  if (held.length === 0) return [...work, ...others]
  if (intent === 'name') return [...held, ...work, ...others]
  return [...inTurn(intent === 'phrase' ? [held, work] : [work, held]), ...others]
}

function holds(content: string, query: string): boolean {
  const plain = (text: string) => ` ${bareWords(text)} `
  return plain(content).includes(plain(query))
}

function inTurn(lists: readonly (readonly SearchResult[])[]): SearchResult[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
}

function once(): (result: SearchResult) => boolean {
  const seen = new Set<SearchResult>()
  return (result) => !seen.has(result) && seen.add(result) !== undefined
}

function oneOfEach(results: readonly SearchResult[]): SearchResult[] {
  const seen = new Set<string>()
  return results.filter(({ session_id, path }) => {
    const key = session_id || path
    return !seen.has(key) && seen.add(key)
  })
}

/** Scores of work and speech do not compare: a call takes the score of the hit before it. */
function scored(results: readonly SearchResult[], { exact }: FoundWork): SearchResult[] {
  let last = exact ? 0.9 : 0.5
  const highest = Math.max(0, ...results.map(({ relevance_score }) => relevance_score))
  if (highest > last) last = highest
  return results.map((result) => {
    if (result.kind === 'speech') {
      last = Math.min(last, result.relevance_score)
      return { ...result, relevance_score: last }
    }
    last = Math.round(last * 0.999 * 1e6) / 1e6
    return { ...result, relevance_score: last }
  })
}
