/** Matching tool calls, best first: the strictest stage of each phrasing, fused. */
import { given } from '../../core/given.ts'
import type { Store } from '../../store/store.ts'
import type { Term, WorkFilter, WorkFound, WorkQuery } from '../../store/work.ts'
import type { SearchFilters } from '../result.ts'
import type { Scope } from '../scope.ts'
import { filesIn, sharedIntent, type WorkIntent, workIntent } from './intent.ts'
import { workStages } from './query.ts'

const LEAST = 200
const FUSION = 60

export interface FoundWork {
  readonly ids: readonly number[]
  readonly terms: readonly Term[]
  /** A lower bound unless `counted`. */
  readonly total: number
  readonly counted: boolean
  readonly intent: WorkIntent | undefined
  readonly exact: boolean
  readonly abandoned: number
}

const NOTHING: FoundWork = { ids: [], terms: [], total: 0, counted: true, intent: undefined, exact: false, abandoned: 0 }

export function workFilter({ file, tool, command, errors }: SearchFilters, { filter }: Scope): WorkFilter {
  const { agentId, after, before, project, sessionId, branches } = filter
  return given({
    ...{ agentId, after, before, project, sessionId, sources: sourcesOf(filter), branches, file, tool, command },
    errors: errors === true ? true : undefined,
  }) as WorkFilter
}

/** A harness is a source and a channel: if both are given, both must match. */
function sourcesOf({ sources, channels }: Scope['filter']): readonly string[] | undefined {
  if (channels === undefined) return sources
  const named = sources?.includes('sessions') ? undefined : sources
  return named === undefined ? channels.sessions : channels.sessions.filter((name) => named.includes(name))
}

export async function findWork(
  store: Store,
  queries: readonly string[],
  { filter, limit }: { filter: WorkFilter; limit: number },
): Promise<FoundWork> {
  const lists: FoundWork[] = []
  for (const query of queries) lists.push(await findOne(store, query, { filter, limit: Math.max(limit, LEAST) }))
  const [only] = lists
  if (lists.length === 1 && only) return only
  const scores = new Map<number, number>()
  for (const { ids } of lists) for (const [i, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (FUSION + i))
  const best = lists.toSorted((a, b) => b.total - a.total)[0] ?? NOTHING
  return {
    ids: [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id),
    terms: lists.flatMap(({ terms }) => terms),
    total: Math.max(best.total, scores.size),
    counted: lists.every(({ counted }) => counted),
    intent: sharedIntent(queries),
    exact: lists.some(({ exact }) => exact),
    abandoned: Math.max(0, ...lists.map(({ abandoned }) => abandoned)),
  }
}

async function findOne(store: Store, query: string, { filter, limit }: { filter: WorkFilter; limit: number }): Promise<FoundWork> {
  const intent = workIntent(query)
  const stages = workStages(query, intent)
  const of = (found: WorkFound, terms: readonly Term[], exact: boolean): FoundWork => ({
    ids: found.hits.map(({ id }) => id),
    ...{ terms, total: found.total, counted: found.counted, intent, exact, abandoned: 0 },
  })
  if (stages.length === 0) return of(await store.work.search({ any: [] }, filter, limit), [], false)
  if (intent === 'phrase') return phrase(store, stages[0] as WorkQuery, { filter, limit, of })
  for (const stage of stages) {
    const found = await store.work.search(stage, filter, limit)
    if (found.hits.length > 0 && intent === 'file' && filter.file === undefined)
      return of({ ...found, hits: await changesFirst(store, query, { found, filter, limit }) }, [...(stage.all ?? []), ...stage.any], true)
    if (found.hits.length > 0) return of(found, [...(stage.all ?? []), ...stage.any], (stage.all ?? []).length > 0)
  }
  return { ...NOTHING, intent }
}

interface Phrase {
  readonly filter: WorkFilter
  readonly limit: number
  readonly of: (found: WorkFound, terms: readonly Term[], exact: boolean) => FoundWork
}

/** With few matches, also counts those on abandoned branches: people remember the words. */
async function phrase(store: Store, query: WorkQuery, { filter, limit, of }: Phrase): Promise<FoundWork> {
  const found = await store.work.search(query, filter, limit)
  const few = filter.branches !== true && found.total < limit
  const everywhere = few ? (await store.work.search(query, { ...filter, branches: true }, 1)).total : 0
  return { ...of(found, [...(query.all ?? []), ...query.any], true), abandoned: Math.max(0, everywhere - found.total) }
}

/** For a file: first its changes, newest first; then calls that only name it. */
async function changesFirst(
  store: Store,
  query: string,
  { found, filter, limit }: { found: WorkFound; filter: WorkFilter; limit: number },
): Promise<WorkFound['hits']> {
  const [file] = filesIn(query)
  if (file === undefined) return found.hits
  const known = new Set(found.hits.map(({ id }) => id))
  const changed = await store.work.search({ any: [] }, { ...filter, file, actions: ['create', 'edit', 'delete'] }, limit)
  const first = changed.hits.filter(({ id }) => known.has(id) || found.hits.length < found.total)
  const ids = new Set(first.map(({ id }) => id))
  return [...first, ...found.hits.filter(({ id }) => !ids.has(id))]
}
