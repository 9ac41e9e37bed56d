import type { Store } from '../../store/store.ts'
import { mergedInto } from '../same-entity.ts'
import { type Named, namesOf } from './names.ts'
import { asTheyAreNow, type LoggedRow } from './observation-log.ts'

export interface Step {
  readonly subject: Named
  readonly type: string
  readonly object: Named
  /** Number of observations; the ids are those of the newest. */
  readonly observations: number
  readonly relationship_id: string
  readonly message_id: string | null
}

export interface Neighbour extends Named {
  readonly distance: number
  readonly by: readonly Step[]
}

export interface WalkOptions {
  readonly agentId: string
  readonly types?: readonly string[] | undefined
  /** 1 to 4; default 1. */
  readonly depth?: number | undefined
  readonly limit?: number | undefined
}

const DEEPEST = 4
const MOST = 500
/** Most relationships followed per entity, newest first: a company that everybody works at leads to everybody. */
const MOST_OF_ONE = 200

export async function neighboursOf(store: Store, entityId: string, options: WalkOptions): Promise<Neighbour[]> {
  const found = await walk(store, entityId, { ...options, until: undefined })
  return [...found.values()].filter(({ distance }) => distance > 0).slice(0, Math.min(options.limit ?? MOST, MOST))
}

export async function pathBetween(
  store: Store,
  from: string,
  to: string,
  options: Omit<WalkOptions, 'limit'>,
): Promise<Step[] | undefined> {
  const found = await walk(store, from, { ...options, depth: options.depth ?? DEEPEST, until: to })
  const steps: Step[] = []
  for (let at = to; at !== from; ) {
    const [step] = found.get(at)?.by ?? []
    if (step === undefined) return undefined
    steps.unshift(step)
    at = step.subject.entity_id === at ? step.object.entity_id : step.subject.entity_id
  }
  return steps
}

async function walk(
  store: Store,
  start: string,
  options: WalkOptions & { readonly until: string | undefined },
): Promise<Map<string, Neighbour>> {
  const depth = Math.min(Math.max(options.depth ?? 1, 1), DEEPEST)
  const names = await namesOf(store, [start])
  const found = new Map<string, Neighbour>([
    [start, { ...(names.get(start) ?? { entity_id: start, type: 'entity', name: start }), distance: 0, by: [] }],
  ])
  let edge = [start]
  for (let distance = 1; distance <= depth && edge.length > 0 && found.size <= MOST; distance++) {
    const next = new Map<string, LoggedRow[]>()
    for (const id of edge)
      for (const row of await rowsOf(store, id, options)) {
        const other = row.subject === id ? row.object : row.subject
        if (other === null || other === id || found.has(other)) continue
        next.set(other, [...(next.get(other) ?? []), row])
      }
    const called = await namesOf(store, [...edge, ...next.keys()])
    for (const [id, rows] of next) {
      const named = called.get(id)
      if (named !== undefined) found.set(id, { ...named, distance, by: stepsOf(rows, called) })
    }
    edge = [...next.keys()]
    if (options.until !== undefined && found.has(options.until)) break
  }
  return found
}

async function rowsOf(store: Store, id: string, { agentId, types }: WalkOptions): Promise<LoggedRow[]> {
  const members = await mergedInto(store, id)
  let query = store.read
    .selectFrom('relationships')
    .selectAll()
    .where('object_id', 'is not', null)
    .where((eb) => eb.or([eb('subject_id', 'in', members), eb('object_id', 'in', members)]))
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (types !== undefined) query = query.where('type', 'in', types)
  return asTheyAreNow(store, await query.orderBy('created_at', 'desc').orderBy('id').limit(MOST_OF_ONE).execute())
}

function stepsOf(rows: readonly LoggedRow[], called: ReadonlyMap<string, Named>): Step[] {
  const steps = new Map<string, Step>()
  for (const { id, subject, object, type, message_id } of rows) {
    const [from, to] = [called.get(subject), called.get(object ?? '')]
    if (from === undefined || to === undefined) continue
    const known = steps.get(`${subject} ${type}`)
    if (known === undefined)
      steps.set(`${subject} ${type}`, { subject: from, type, object: to, observations: 1, relationship_id: id, message_id })
    else steps.set(`${subject} ${type}`, { ...known, observations: known.observations + 1 })
  }
  return [...steps.values()]
}
