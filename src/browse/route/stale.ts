/**
 * What changed since a session last mentioned it: entities, its replaced decisions, files changed by others. Knows only the ledger, no
 * manual edits. Redacted.
 */
import { inWords } from '../../core/stated-as.ts'
import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { placesOf } from '../../graph/read/cite.ts'
import { namesOf } from '../../graph/read/names.ts'
import { canonicalOf, mergedInto } from '../../graph/same-entity.ts'
import { shortEpisodeIds } from '../../ledgers/short-episode-ids.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import { holdsInstead } from '../../search/what-holds.ts'
import type { ReplacedDecision } from '../../store/search-rows.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'

export interface StaleEntity {
  readonly kind: 'observation' | 'decision' | 'file'
  readonly about: string
  readonly now: string
  /** Last mention in the session, then the time of the change. */
  readonly known_at: string
  readonly changed_at: string
  /** Source of the change, for `show`. */
  readonly cite: string | null
  readonly asked: boolean
}

export interface Staleness {
  readonly stale: readonly StaleEntity[]
  /** Including those beyond the limit. */
  readonly total: number
}

export interface StaleOptions {
  readonly agentId: string
  /** Whether the message names this entity or text. */
  readonly isAsked: (what: { readonly entity?: string; readonly text: string }) => boolean
  readonly limit: number
}

const MOST = 200
const LONGEST = 160

export async function staleIn(store: Store, sessionId: string, options: StaleOptions): Promise<Staleness> {
  const found = [
    ...(await observed(store, sessionId, options)),
    ...(await decided(store, sessionId, options)),
    ...(await changed(store, sessionId, options)),
  ]
  const order = (one: StaleEntity) => `${one.asked ? 1 : 0}${one.changed_at}`
  found.sort((a, b) => (order(a) < order(b) ? 1 : order(a) > order(b) ? -1 : a.about < b.about ? -1 : 1))
  return { stale: found.slice(0, options.limit), total: found.length }
}

async function observed(store: Store, sessionId: string, { agentId, isAsked }: StaleOptions): Promise<StaleEntity[]> {
  const rows = await store.read
    .selectFrom('episode_entity_mentions as e')
    .innerJoin('agent_messages as m', 'm.id', 'e.message_id')
    .select((eb) => ['e.entity_id', eb.fn.max('m.timestamp').as('at')])
    .where('m.session_id', '=', sessionId)
    .groupBy('e.entity_id')
    .orderBy('at', 'desc')
    .limit(MOST)
    .execute()
  const now = await canonicalOf(
    store,
    rows.map(({ entity_id }) => entity_id),
  )
  const spoken = new Map<string, number>()
  for (const { entity_id, at } of rows) {
    const id = now.get(entity_id) ?? entity_id
    spoken.set(id, Math.max(spoken.get(id) ?? 0, Number(at ?? 0)))
  }
  const names = await namesOf(store, [...spoken.keys()])
  const found: (Omit<StaleEntity, 'cite'> & { readonly message: string })[] = []
  for (const [id, at] of spoken) {
    let query = store.read
      .selectFrom('relationships as r')
      .leftJoin('agent_messages as m', 'm.id', 'r.message_id')
      .select(['r.fact', 'r.created_at', 'r.message_id'])
      .where('r.subject_id', 'in', await mergedInto(store, id))
      .where('r.created_at', '>', at)
      .where((eb) => eb.or([eb('m.session_id', 'is', null), eb('m.session_id', '<>', sessionId)]))
    if (agentId !== 'all') query = query.where('r.agent_id', '=', agentId)
    const newest = await query.orderBy('r.created_at', 'desc').orderBy('r.id').limit(1).executeTakeFirst()
    if (newest === undefined) continue
    const about = names.get(id)?.name ?? id
    found.push({
      ...({ kind: 'observation', about, now: clean(newest.fact), asked: isAsked({ entity: id, text: about }) } as const),
      ...{ known_at: toIso(at), changed_at: toIso(newest.created_at), message: newest.message_id ?? '' },
    })
  }
  const places = await placesOf(
    store,
    found.map(({ message }) => message),
  )
  return found.map(({ message, ...one }) => ({ ...one, cite: places.get(message)?.id ?? null }))
}

async function decided(store: Store, sessionId: string, { isAsked }: StaleOptions): Promise<StaleEntity[]> {
  const rows = await store.read
    .selectFrom('decisions as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.event_id', 'd.turn_id', 'd.made_at', 'e.content'])
    .where('d.session_id', '=', sessionId)
    .where('d.turn_id', 'is not', null)
    .orderBy('d.made_at', 'desc')
    .limit(MOST)
    .execute()
  const own = new Map(rows.map((row) => [row.event_id, row]))
  const replaced = await store.rows.replaced([...new Set(rows.flatMap(({ turn_id }) => turn_id ?? []))])
  const first = new Map(replaced.filter(({ id }) => own.has(id)).map((one) => [one.id, one]))
  const found: { was: (typeof rows)[number]; by: ReplacedDecision }[] = []
  for (const one of first.values()) {
    const by = await holdsInstead(store, one)
    const was = own.get(one.id)
    // The session knows what it decided itself.
    if (was !== undefined && !own.has(by.by_id)) found.push({ was, by })
  }
  const turns = await shortTurnIds(
    store,
    found.flatMap(({ by }) => by.by_turn ?? []),
  )
  const episodes = await shortEpisodeIds(
    store,
    found.flatMap(({ by }) => (by.by_turn === null ? (by.by_episode ?? []) : [])),
  )
  return found.map(({ was, by }) => {
    const about = clean(was.content ?? '')
    return {
      ...({ kind: 'decision', about, now: saidAs(by), known_at: toIso(was.made_at), changed_at: toIso(by.by_at) } as const),
      cite: turns.get(by.by_turn ?? '') ?? episodes.get(by.by_episode ?? '') ?? null,
      asked: isAsked({ text: about }),
    }
  })
}

async function changed(store: Store, sessionId: string, { isAsked }: StaleOptions): Promise<StaleEntity[]> {
  const { files } = await store.work.changedSince(sessionId, MOST)
  const calls = new Map(
    (
      await store.work.calls(
        files.map(({ last_id }) => last_id),
        0,
      )
    ).map((call) => [call.id, call]),
  )
  const turns = [...calls.values()].flatMap(({ turn_id }) => turn_id ?? [])
  const labels =
    turns.length === 0
      ? []
      : await store.read
          .selectFrom('agent_turns')
          .select(['id', 'label'])
          .where('id', 'in', [...new Set(turns)])
          .execute()
  const labelOf = new Map(labels.map(({ id, label }) => [id, label]))
  const short = await shortTurnIds(store, turns)
  return files.map(({ path, touched_at, changed_at, changes, last_id }) => {
    const turn = calls.get(last_id)?.turn_id ?? ''
    const label = labelOf.get(turn)
    const times = changes === 1 ? 'changed once' : `changed ${changes} times`
    return {
      ...({ kind: 'file', about: clean(path), now: label ? `${times}; last: ${clean(label)}` : times } as const),
      ...{ known_at: toIso(touched_at), changed_at: toIso(changed_at), cite: short.get(turn) ?? null, asked: isAsked({ text: path }) },
    }
  })
}

function saidAs({ by_text, by_rule, by_about }: ReplacedDecision): string {
  return oneLine(
    inWords({ text: redactText(by_text ?? ''), rule: by_rule, about: by_about === null ? null : redactText(by_about) }),
    LONGEST,
  )
}

function clean(text: string): string {
  return oneLine(redactText(text), LONGEST)
}
