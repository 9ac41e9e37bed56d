import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen } from '../core/time.ts'
import type { ChannelFilter, ChunkFilter, EntityFilter, PeopleFilter } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { Owner, People, Person } from './person.ts'
import type { SearchFilters } from './result.ts'

export interface Scope {
  readonly filter: ChunkFilter
  readonly speaker: Person | undefined
  /** A filter other than the persona applies. */
  readonly narrowed: boolean
}

export interface ScopeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly people: People
  readonly agentId: string
}

/** Dates are in the owner's zone; a session goes by any of its names. */
export async function scopeOf(filters: SearchFilters, { store, clock, owner, people: everybody, agentId }: ScopeOptions): Promise<Scope> {
  const when = (value: string | undefined) =>
    value === undefined ? undefined : parseWhen(value, { timezone: owner.timezone, now: clock() })
  const after = when(filters.after ?? filters.since)
  const before = when(filters.before ?? filters.until)
  if (after !== undefined && before !== undefined && after >= before) {
    throw new MnemonicError('USAGE', 'after must be an earlier time than before', {
      details: { after: filters.after, before: filters.before },
      hint: '--after is inclusive, --before exclusive.',
    })
  }
  const agent = filters.agent ?? agentId
  const agents = agent === 'all' ? undefined : agent
  const speaker = filters.speaker === undefined ? undefined : ((await everybody.known(filters.speaker)) ?? { names: [filters.speaker] })
  const project = filters.project === undefined ? undefined : await projectOf(store, filters.project)
  const { topics, has_decision: hasDecision, ledger, sources } = filters
  await checkSources(store, sources)
  const sessionId = filters.session === undefined ? undefined : await sessionCalled(store, filters.session, agents)
  const channels = filters.channel === undefined ? undefined : await channelCalled(store, filters.channel)
  const people = (filters.from ?? filters.to ?? filters.with) ? await peopleCalled(filters, { store, owner }) : undefined
  const entity = filters.entity === undefined ? undefined : await entityNamed(store, filters.entity, agent)
  const narrow = {
    after,
    before,
    project,
    sessionId,
    topics,
    hasDecision,
    ledger,
    sources,
    channels,
    people,
    entity,
    speaker: speaker?.names,
  }
  const given = Object.entries({ ...narrow, agentId: agents, branches: filters.branches }).filter(([, value]) => value !== undefined)
  return {
    filter: Object.fromEntries(given),
    speaker,
    narrowed: speaker !== undefined || Object.values(narrow).some((value) => value !== undefined),
  }
}

export function within(scope: Scope, { from, to }: { readonly from: number; readonly to: number }): Scope {
  const after = Math.max(from, scope.filter.after ?? from)
  const before = Math.min(to, scope.filter.before ?? to)
  const ends = { ...(Number.isFinite(after) ? { after } : {}), ...(Number.isFinite(before) ? { before } : {}) }
  return { ...scope, narrowed: true, filter: { ...scope.filter, ...ends } }
}

async function sessionCalled(store: Store, name: string, agent: string | undefined): Promise<string> {
  return (await (await import('../ledgers/resolve.ts')).resolveSession(store, name, agent)).id
}

async function projectOf(store: Store, name: string): Promise<ChunkFilter['project']> {
  return (await import('../ingest/project-called.ts')).projectCalled(store, name)
}

async function peopleCalled(filters: SearchFilters, options: Pick<ScopeOptions, 'store' | 'owner'>): Promise<PeopleFilter> {
  return (await import('./people-filter.ts')).peopleFilter(filters, options)
}

async function entityNamed(store: Store, name: string, agent: string): Promise<EntityFilter> {
  return (await import('../graph/read/entity-scope.ts')).entityScope(store, name, agent)
}

/** Every other channel is a harness. */
const HUMAN: readonly string[] = ['imessage', 'gmail', 'calendar']

async function channelCalled(store: Store, name: string): Promise<ChannelFilter> {
  const wanted = name.toLowerCase()
  if (HUMAN.includes(wanted)) return { events: [wanted], sessions: [] }
  if (ADAPTERS.includes(wanted)) return { events: [], sessions: [wanted] }
  const harnesses = await store.read.selectFrom('agent_sessions').select('source').distinct().orderBy('source').execute()
  const channels = await store.read.selectFrom('threads').select('channel').distinct().orderBy('channel').execute()
  const held = [...new Set([...HUMAN, ...harnesses.map(({ source }) => source), ...channels.map(({ channel }) => channel)])]
  if (held.includes(name)) return { events: [name], sessions: [name] }
  const { unknownValue } = await import('../core/unknown-value.ts')
  throw unknownValue({ filter: 'channel', said: 'no channel is called', values: [name], known: held })
}

const KINDS = ['sessions', 'memory', 'events'] as const
const ADAPTERS: readonly string[] = [...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES]

/** Throws USAGE for an unknown source: a mistake must not look like an empty result. */
async function checkSources(store: Store, sources: readonly string[] | undefined): Promise<void> {
  const strange = (sources ?? []).filter((name) => !(KINDS as readonly string[]).includes(name) && !ADAPTERS.includes(name))
  if (strange.length === 0) return
  const rows = await store.read.selectFrom('agent_sessions').select('source').distinct().orderBy('source').execute()
  const held = rows.map(({ source }) => source)
  const unknown = strange.filter((name) => !held.includes(name))
  if (unknown.length === 0) return
  const { unknownValue } = await import('../core/unknown-value.ts')
  throw unknownValue({ filter: 'source', said: 'no source is called', values: unknown, known: [...KINDS, ...held] })
}
