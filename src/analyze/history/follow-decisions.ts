/**
 * Sync step that sets subjects of decisions and preferences, and links replaced ones. A link depends only on its two ends, so import order
 * does not matter.
 */
import { shortHash } from '../../core/hash.ts'
import { inRuns } from '../../core/in-runs.ts'
import { padded } from '../../core/padded.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import { type DecisionVerdict, verdicts } from '../../ledgers/owner-verdicts.ts'
import type { Lease } from '../../store/lease.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { OWNER_SCOPE } from './owner-scope.ts'
import { type Claim, contrastOf } from './supersedes.ts'
import { statementTerms } from './terms.ts'
import { othersIn, verdictOn } from './verdict-on.ts'

const AT_ONCE = 100
const LONGEST_MS = 1000
const COMPARED = 400
const TERMS = 300
const NO_PROJECT = '(no project)'
const KEY = 16

export interface FollowOptions {
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
}

export async function followDecisions(store: Store, { lease, signal }: FollowOptions): Promise<number> {
  let looked = 0
  for (;;) {
    await pauseToStop(signal, 'sync')
    const some = await store.read.selectFrom('decisions_waiting').select('event_id').orderBy('event_id').limit(AT_ONCE).execute()
    if (some.length === 0) return looked
    looked += await store.write(async (tx) => {
      await lease?.check(tx)
      return follow(
        tx,
        some.map(({ event_id }) => event_id),
      )
    })
  }
}

interface Decision extends Claim {
  readonly id: string
  readonly agentId: string
  readonly type: 'decision' | 'preference_stated'
  readonly scope: string
  readonly sessionId: string | null
  readonly turnId: string | null
  readonly message: string
  readonly madeAt: number
  readonly trust: string
}

async function follow(tx: WriteTx, ids: readonly string[]): Promise<number> {
  const until = performance.now() + LONGEST_MS
  const some = await read(tx, ids)
  await tx.db.deleteFrom('decisions').where('event_id', 'in', padded(ids)).execute()
  for (const one of some) await put(tx, one)
  const others = new Map(some.map((one) => [one.id, one]))
  const owner = new Map<string, readonly DecisionVerdict[]>()
  const linked = new Set<string>()
  for (const one of some) {
    if (!owner.has(one.agentId)) owner.set(one.agentId, await verdicts(tx.db, one.agentId))
    await link(tx, one, owner.get(one.agentId) ?? [], others)
    linked.add(one.id)
    if (performance.now() > until) break
  }
  const left = new Set(some.map(({ id }) => id).filter((id) => !linked.has(id)))
  const done = ids.filter((id) => !left.has(id))
  await tx.db.deleteFrom('decisions_waiting').where('event_id', 'in', padded(done)).execute()
  return done.length
}

async function read(tx: WriteTx, ids: readonly string[]): Promise<Decision[]> {
  const rows = await tx.db
    .selectFrom('events as e')
    .innerJoin('derived_sources as d', 'd.event_id', 'e.id')
    .select([
      'e.id',
      'e.content',
      'e.timestamp',
      'e.trust',
      'e.agent_id',
      'e.thread_id',
      'e.metadata_json',
      'd.message',
      'd.kind',
      'd.unit',
    ])
    .where('e.id', 'in', padded(ids))
    .orderBy('e.id')
    .execute()
  const sessions = new Map(
    (
      await tx.db
        .selectFrom('agent_sessions')
        .select((eb) => ['id', eb.fn.coalesce('repository', 'project').as('project')])
        .where('id', 'in', padded(rows.flatMap(({ kind, unit }) => (kind === 'session' ? [unit] : []))))
        .execute()
    ).map(({ id, project }) => [id, project]),
  )
  return rows.flatMap((row) => {
    const {
      type,
      about,
      turn_id,
      project: of,
    } = JSON.parse(row.metadata_json ?? '{}') as {
      type?: string
      about?: string
      turn_id?: string
      project?: string
    }
    if (type !== 'decision' && type !== 'preference_stated') return []
    const text = row.content ?? ''
    const sessionId = row.kind === 'session' ? row.unit : null
    const project = sessions.get(row.unit)
    // The owner's preferences apply everywhere, unless they name a project.
    const within = of !== undefined ? of : type === 'preference_stated' && row.trust === 'owner' ? OWNER_SCOPE : undefined
    return [
      {
        ...{ id: row.id, text, about: about ?? '', terms: statementTerms(text, about), type, agentId: row.agent_id, sessionId },
        ...{
          scope: within ?? project ?? (sessionId === null ? (row.thread_id ?? row.unit) : NO_PROJECT),
          turnId: turn_id ?? null,
          message: row.message,
        },
        ...{ madeAt: row.timestamp, trust: row.trust },
      },
    ]
  })
}

async function put(tx: WriteTx, one: Decision): Promise<void> {
  const { names, words } = one.terms
  await tx.db
    .insertInto('decisions')
    .values({
      ...{
        key: shortHash(KEY, one.id),
        event_id: one.id,
        agent_id: one.agentId,
        type: one.type,
        scope: one.scope,
        session_id: one.sessionId,
        turn_id: one.turnId,
      },
      ...{ message: one.message, made_at: one.madeAt, trust: one.trust },
    })
    .execute()
  const terms = [...new Set([...names, ...words])].map((term) => ({ event_id: one.id, term, is_name: Number(names.has(term)) }))
  for (const run of inRuns(terms, () => 1, TERMS))
    await tx.db
      .insertInto('decision_terms')
      .values([...run])
      .execute()
}

async function link(tx: WriteTx, one: Decision, said: readonly DecisionVerdict[], known: Map<string, Decision>): Promise<void> {
  const near = await nearOnes(tx, one)
  const named = await withMessages(tx, othersIn(one.id, said))
  const ids = [...new Set([...near, ...named])]
  for (const run of inRuns(
    ids.filter((id) => !known.has(id)),
    () => 1,
    COMPARED,
  ))
    for (const other of await read(tx, run)) known.set(other.id, other)
  for (const id of ids) {
    const other = known.get(id)
    if (other === undefined || other.id === one.id) continue
    const [earlier, later] = isBefore(one, other) ? [one, other] : [other, one]
    const reason = reasonOf(earlier, later, said)
    if (reason === undefined) continue
    await tx.db
      .insertInto('decision_links')
      .values({ earlier_id: earlier.id, later_id: later.id, reason })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function nearOnes(tx: WriteTx, { id, agentId, scope, type }: Decision): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('decision_terms as own')
    .innerJoin('decision_terms as t', 't.term', 'own.term')
    .innerJoin('decisions as d', 'd.event_id', 't.event_id')
    .select('d.event_id')
    .distinct()
    .where('own.event_id', '=', id)
    .where('d.agent_id', '=', agentId)
    .where('d.scope', '=', scope)
    .where('d.type', '=', type)
    .orderBy('d.event_id')
    .execute()
  return rows.map(({ event_id }) => event_id)
}

async function withMessages(tx: WriteTx, messages: readonly string[]): Promise<string[]> {
  if (messages.length === 0) return []
  const rows = await tx.db.selectFrom('decisions').select('event_id').where('message', 'in', padded(messages)).execute()
  return rows.map(({ event_id }) => event_id)
}

function isBefore(a: Decision, b: Decision): boolean {
  return a.madeAt < b.madeAt || (a.madeAt === b.madeAt && a.id < b.id)
}

/** A decision never replaces a more trusted one. The owner's verdict overrides all rules. */
function reasonOf(earlier: Decision, later: Decision, said: readonly DecisionVerdict[]): string | undefined {
  const verdict = verdictOn(earlier.id, later.id, said)
  if (verdict !== undefined) return verdict === 'join' ? 'owner' : undefined
  if (earlier.message === later.message || earlier.scope !== later.scope || earlier.type !== later.type) return undefined
  if (earlier.scope === NO_PROJECT && earlier.sessionId !== later.sessionId && !sameSubject(earlier, later)) return undefined
  if (leastTrusted([earlier.trust as Trust, later.trust as Trust]) !== earlier.trust) return undefined
  return contrastOf(earlier, later)
}

function sameSubject({ terms: a }: Decision, { terms: b }: Decision): boolean {
  const [few, many] = [
    [...a.names, ...a.words],
    [...b.names, ...b.words],
  ].toSorted((x, y) => x.length - y.length) as [string[], string[]]
  return few.length > 0 && few.every((term) => many.includes(term))
}
