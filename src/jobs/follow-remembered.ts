/** Derives observations and events from queued owner statements. Idempotent. */
import { rememberedStatement } from '../analyze/derive/remembered-statement.ts'
import type { Owner } from '../config/owner.ts'
import { STATEMENT_TYPES, type StatementType } from '../core/statement-type.ts'
import { REMEMBERED } from '../episodes/definitions.ts'
import { episodeId } from '../episodes/episode-id.ts'
import type { BoundEntity } from '../graph/extracted-from.ts'
import { entitiesNamed } from '../graph/find-entity.ts'
import { isForgottenEntity } from '../graph/forgotten-entity.ts'
import { namedSubject, ownerSubject, putRememberedRows, relationOf, type Subject } from '../graph/remembered-rows.ts'
import { settle } from '../graph/settle.ts'
import { writeExtracted } from '../graph/write-extracted.ts'
import { type DerivedEvent, replaceDerived } from '../ledgers/derived-events.ts'
import { countryOf } from '../ledgers/people/handle.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import { type Remembered, readRemembered, rememberedThread } from '../ledgers/remembered.ts'
import type { WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { type StatedGraph, statedEpisode, statedGraph } from './stated-graph.ts'

export interface FollowRememberedOptions {
  readonly now: number
  readonly owner: Owner
  readonly autoMerge: boolean
}

const AT_ONCE = 100

/** Call until 0. */
export async function followRemembered(tx: WriteTx, options: FollowRememberedOptions): Promise<number> {
  const waiting = await tx.db.selectFrom('remembered_waiting').select('event_id').orderBy('event_id').limit(AT_ONCE).execute()
  if (waiting.length === 0) return 0
  const ids = waiting.map(({ event_id }) => event_id)
  const all = new Map((await readRemembered(tx.db, 'all')).map((one) => [one.id, one]))
  for (const id of ids) {
    const one = all.get(id)
    if (one?.status === 'holds') await follow(tx, one, { ...options, all })
  }
  await tx.db.deleteFrom('remembered_waiting').where('event_id', 'in', ids).execute()
  while ((await settle(tx, { autoMerge: options.autoMerge })) > 0);
  return waiting.length
}

interface Following extends FollowRememberedOptions {
  readonly all: ReadonlyMap<string, Remembered>
}

async function follow(tx: WriteTx, one: Remembered, { now, owner, all }: Following): Promise<void> {
  const { relation, statement: corrected } = await typesOf(tx, one, all)
  const subject = subjectOf(one, owner)
  const tombstones = await tombstonesOf(tx)
  const episode = episodeOf(one)
  const stated = statedGraph(one, owner)
  if (tombstones === undefined || !isForgottenEntity(subject, tombstones)) {
    if (stated === undefined) await putRememberedRows(tx, one, { now, subject, relation, country: countryOf(owner.phones) })
    else await putStatedGraph(tx, one, { stated, subject, now, owner })
  }
  const made = rememberedStatement(one, { episode, speaker: owner.name ?? null, corrected })
  await replaceDerived(
    tx,
    [{ kind: 'episode', unit: episode }],
    new Map<string, DerivedEvent[]>(made === undefined ? [] : [[episode, [made]]]),
  )
}

interface Putting extends Pick<Following, 'now' | 'owner'> {
  readonly stated: StatedGraph
  readonly subject: Subject
}

/** Replaces earlier observations, and the note of an older version. */
async function putStatedGraph(tx: WriteTx, one: Remembered, { stated, subject, now, owner }: Putting): Promise<void> {
  const { graph, about } = stated
  const episode = statedEpisode(one, owner)
  const isGrouped = await tx.db.selectFrom('episodes').select('id').where('id', '=', episode.id).executeTakeFirst()
  // A sync groups and requeues it.
  if (isGrouped === undefined) return
  await writeExtracted(
    tx,
    {
      ...{ runId: one.id, episode, agentId: one.agentId, now, country: countryOf(owner.phones), settlesLater: true },
      owner: { name: owner.name, handles: ownHandles(owner) },
      sourceType: one.relation?.sourceType ?? 'owner',
      bound: await boundTo(tx, { graph, about, subject, agentId: one.agentId }),
    },
    graph,
  )
}

/** An object binds only if its name is unique. */
async function boundTo(
  tx: WriteTx,
  { graph, about, subject, agentId }: Pick<StatedGraph, 'graph' | 'about'> & { readonly subject: Subject; readonly agentId: string },
): Promise<Map<string, BoundEntity>> {
  const bound = new Map<string, BoundEntity>(about === undefined ? [] : [[about, subject]])
  const object = graph.entities.find(({ ref }) => ref === 'object')
  if (object === undefined) return bound
  const [only, ...others] = await entitiesNamed(tx, object.name, { agentId, type: object.type })
  if (only !== undefined && others.length === 0) bound.set('object', only)
  return bound
}

export function episodeOf({ id, agentId }: Pick<Remembered, 'id' | 'agentId'>): string {
  return episodeId(REMEMBERED, rememberedThread(agentId), id)
}

/** Falls back to the project, then to the owner. */
function subjectOf({ entity, project, agentId }: Remembered, { name }: Owner): Subject {
  if (entity !== null && entity.id !== null && entity.key !== null) return { ...entity, id: entity.id, key: entity.key }
  if (entity !== null) return namedSubject(agentId, entity.type, entity.name)
  return project === null ? ownerSubject(agentId, name) : namedSubject(agentId, 'project', project.name)
}

/** A correction has the type of what it corrects. */
async function typesOf(
  tx: WriteTx,
  { corrects }: Remembered,
  all: ReadonlyMap<string, Remembered>,
): Promise<{ relation?: string | undefined; statement?: StatementType | undefined }> {
  if (corrects === null) return {}
  if (corrects.kind === 'observation') {
    const row = await tx.db.selectFrom('relationships').select('type').where('id', '=', corrects.id).executeTakeFirst()
    return { relation: row?.type }
  }
  if (corrects.kind === 'decision') return { statement: statementIn(corrects.id) }
  const other = all.get(corrects.id)
  const of = { preference: 'preference_stated', decision: 'decision', fact: undefined, correction: undefined } as const
  return other === undefined ? {} : { relation: relationOf(other.type), statement: of[other.type] }
}

/** Ids end with their type. */
function statementIn(id: string): StatementType | undefined {
  return STATEMENT_TYPES.find((type) => id.endsWith(`:${type}`))
}
