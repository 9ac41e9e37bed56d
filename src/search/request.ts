/** What a caller asks, checked: anything that is not exactly a search request is refused before the database is touched. */
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen } from '../core/time.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import type { ChunkFilter } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { Owner, People, Person } from './person.ts'

const DEFAULT_LIMIT = 10
const name = z.string().trim().min(1).max(1000)

const filtersSchema = z.strictObject({
  after: name.optional(),
  before: name.optional(),
  speaker: name.optional(),
  project: name.optional(),
  session: name.optional(),
  topics: z.array(name).max(100).optional(),
  has_decision: z.boolean().optional(),
  ledger: z.enum(['agents', 'events']).optional(),
  sources: z.array(name).max(100).optional(),
  agent: name.optional(),
  branches: z.boolean().optional(),
})
const requestSchema = z.strictObject({
  query: z.string(),
  filters: filtersSchema.optional(),
  limit: z.int().min(1).max(200).optional(),
  explain: z.boolean().optional(),
})

type Filters = z.infer<typeof filtersSchema>

export interface CheckedRequest {
  readonly query: string
  readonly filters: Filters
  readonly limit: number
  readonly explain: boolean
}

export function checkRequest(request: unknown): CheckedRequest {
  const checked = requestSchema.safeParse(request)
  if (!checked.success) {
    const keys = [...new Set(checked.error.issues.map(({ path }) => path.join('.')).filter(Boolean))]
    throw new MnemonicError('USAGE', `this search cannot be run: ${z.prettifyError(checked.error).replace(/\s*\n\s*/g, ' ')}`, {
      details: { keys },
      hint: 'The limit is 1 to 200, the ledger agents or events; mnemonic search --help lists the filters.',
    })
  }
  const { query, filters = {}, limit = DEFAULT_LIMIT, explain = false } = checked.data
  return { query, filters, limit, explain }
}

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
export async function scopeOf(filters: Filters, { store, clock, owner, people, agentId }: ScopeOptions): Promise<Scope> {
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
  const sessionId = filters.session === undefined ? undefined : (await resolveSession(store, filters.session, agents)).id
  const narrow = { after, before, project, sessionId, topics, hasDecision, ledger, sources, speaker: speaker?.names }
  const given = Object.entries({ ...narrow, agentId: agents, branches: filters.branches }).filter(([, value]) => value !== undefined)
  return {
    filter: Object.fromEntries(given),
    speaker,
    narrowed: speaker !== undefined || Object.values(narrow).some((value) => value !== undefined),
  }
}
