/** What the filters of a request mean for chunks. */
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen } from '../core/time.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import type { ChunkFilter } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import { checkSources } from './known-sources.ts'
import type { Owner, People, Person } from './person.ts'
import type { SearchFilters } from './result.ts'

export interface Scope {
  readonly filter: ChunkFilter
  /** The role or person that alone may have said it. */
  readonly speaker: Person | undefined
  /** Something but the persona narrows the search. */
  readonly narrowed: boolean
}

export interface ScopeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly people: People
  readonly agentId: string
}

/** The request's filters as conditions on chunks: dates in the owner's zone, the session by any of its names. */
export async function scopeOf(filters: SearchFilters, { store, clock, owner, people, agentId }: ScopeOptions): Promise<Scope> {
  const when = (value: string | undefined) =>
    value === undefined ? undefined : parseWhen(value, { timezone: owner.timezone, now: clock() })
  const after = when(filters.after)
  const before = when(filters.before)
  if (after !== undefined && before !== undefined && after >= before) {
    throw new MnemonicError('USAGE', 'after must lie before before: no time is in between', {
      details: { after: filters.after, before: filters.before },
      hint: '--after is inclusive, --before exclusive.',
    })
  }
  const agent = filters.agent ?? agentId
  const agents = agent === 'all' ? undefined : agent
  const speaker = filters.speaker === undefined ? undefined : ((await people.known(filters.speaker)) ?? { names: [filters.speaker] })
  const { project, topics, has_decision: hasDecision, ledger, sources } = filters
  await checkSources(store, sources)
  const sessionId = filters.session === undefined ? undefined : (await resolveSession(store, filters.session, agents)).id
  const narrow = { after, before, project, sessionId, topics, hasDecision, ledger, sources, speaker: speaker?.names }
  const given = Object.entries({ ...narrow, agentId: agents, branches: filters.branches }).filter(([, value]) => value !== undefined)
  return {
    filter: Object.fromEntries(given),
    speaker,
    narrowed: speaker !== undefined || Object.values(narrow).some((value) => value !== undefined),
  }
}
