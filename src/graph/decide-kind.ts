/** Owner decisions on one entity: retype and split. Both are stored as events and can be undone. */

import { MnemonicError } from '../core/error.ts'
import { shortHash } from '../core/hash.ts'
import { toIso } from '../core/time.ts'
import { writeOwnerDecision } from '../ledgers/owner-decisions.ts'
import type { WriteTx } from '../store/store.ts'
import { type DecideOptions, forgottenName, refusedDecision, rejectPair, settleAll, shownEntity } from './decide.ts'
import { entityId, writtenKey } from './entity-key.ts'
import { redacted } from './entity-part.ts'
import { checkEntityType, entityTypes } from './entity-types.ts'
import { findEntity } from './find-entity.ts'
import { type EntityRow, groupOf } from './same-entity.ts'
import { applySplits, undoSplit } from './split-rows.ts'

export interface RetypeRequest {
  readonly entity: string
  readonly type: string
  readonly addedTypes?: readonly string[] | undefined
}

export async function retypeEntity(
  tx: WriteTx,
  { entity, type, addedTypes }: RetypeRequest,
  options: DecideOptions,
): Promise<{ entity: EntityRow; was: string }> {
  checkEntityType(type, entityTypes(addedTypes))
  const of = await findEntity(tx, entity, options)
  if (of.type === type) throw refusedDecision(`${shownEntity(of)} is a ${type} already`, 'mnemonic entities list shows the type of each.')
  const first = await tx.db.selectFrom('graph_types').select('was').where('entity_id', '=', of.id).executeTakeFirst()
  const id = await writeOwnerDecision(tx, {
    ...{ type: 'entity_retype', about: ['type', of.id], agentId: of.agent_id, now: options.now, says: `${of.name} is a ${type}` },
    facts: { entity: of.id, to: type, was: first?.was ?? of.type },
  })
  if (id === undefined) throw forgottenName()
  await settleAll(tx, options)
  return { entity: { ...of, type }, was: of.type }
}

export interface SplitRequest {
  readonly entity: string
  readonly take: readonly string[]
}

interface SplitPlace {
  readonly id: string
  readonly type: string
  readonly message_id: string
  readonly span_start: number
  readonly fact: string
  readonly created_at: number
  readonly entity: string
}

/** Observations that a split can take, oldest first. */
export async function splitPlaces(tx: Pick<WriteTx, 'db'>, named: string, options: DecideOptions) {
  const entity = await findEntity(tx, named, options)
  const places = (await placesOf(tx, entity)).map(({ id, type, message_id, fact, created_at }) => ({
    ...{ relationship_id: id, message_id, type, fact: redacted(fact), said_at: toIso(created_at) },
  }))
  return { entity, places }
}

async function placesOf(tx: Pick<WriteTx, 'db'>, { id }: EntityRow): Promise<SplitPlace[]> {
  const members = (await groupOf(tx, id)).map((one) => one.id)
  const rows = await tx.db
    .selectFrom('relationships')
    .select(['id', 'type', 'message_id', 'span_start', 'fact', 'created_at', 'subject_id', 'object_id'])
    .where((eb) => eb.or([eb('subject_id', 'in', members), eb('object_id', 'in', members)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ subject_id, object_id, message_id, span_start, ...row }) =>
    message_id === null
      ? []
      : [{ ...row, message_id, span_start: span_start ?? 0, entity: members.includes(subject_id) ? subject_id : (object_id ?? '') }],
  )
}

export async function splitEntity(
  tx: WriteTx,
  { entity, take }: SplitRequest,
  options: DecideOptions,
): Promise<{ entity: EntityRow; part: EntityRow; taken: number }> {
  const of = await findEntity(tx, entity, options)
  const all = await placesOf(tx, of)
  const taken = all.filter((place) => take.some((one) => isMeant(place, one.trim())))
  for (const one of take)
    if (!all.some((place) => isMeant(place, one.trim())))
      throw refusedDecision(
        `${JSON.stringify(one)} is no observation of ${shownEntity(of)}`,
        `mnemonic entities split ${of.id.slice(0, 8)} --list shows what was said of it, with ids.`,
      )
  const places = [...new Map(taken.map((one) => [placeKey(one), [one.message_id, one.span_start, one.entity] as const])).values()]
  const keys = new Set(taken.map(placeKey))
  const isTaken = (place: SplitPlace) => keys.has(placeKey(place))
  if (places.length === 0) throw refusedDecision('nothing was chosen for the other one', 'Give observations with --take ID.')
  if (all.every(isTaken)) throw refusedDecision(`all that is known of ${shownEntity(of)} was chosen`, 'Leave something to each of the two.')
  // Contains no name: it is stored with the decision, and names can be forgotten.
  const key = { kind: 'name', value: `split-${shortHash(8, JSON.stringify([of.id, places.toSorted()]))}`, frame: '' } as const
  const part = entityId(of.agent_id, of.type, key)
  const id = await writeOwnerDecision(tx, {
    ...{ type: 'entity_split', about: ['split', of.id, part], agentId: of.agent_id, now: options.now, says: `${of.name} is two` },
    facts: { entity: of.id, part, part_key: writtenKey(key), places },
  })
  if (id === undefined) throw forgottenName()
  const members = await groupOf(tx, of.id)
  await applySplits(
    tx,
    members.map((member) => member.id),
  )
  // Rejects all members: other evidence must not join them again.
  const split = await findEntity(tx, part, { ...options, own: true })
  for (const member of members) await rejectPair(tx, [member, split], options)
  await settleAll(tx, options)
  return { entity: of, part: split, taken: all.filter(isTaken).length }
}

const placeKey = ({ entity, message_id, span_start }: SplitPlace) => `${entity} ${message_id} ${span_start}`

function isMeant({ id, message_id }: SplitPlace, named: string): boolean {
  return named.length >= 6 && (id.startsWith(named) || message_id === named)
}

export async function unsplitEntity(tx: WriteTx, named: string, options: DecideOptions): Promise<{ entity: EntityRow; part: EntityRow }> {
  const part = await partNamed(tx, named, options)
  const places = await tx.db.selectFrom('graph_splits').selectAll().where('part_id', '=', part.id).execute()
  const event = await tx.db
    .selectFrom('events')
    .select('metadata_json')
    .where('id', '=', places[0]?.event_id ?? '')
    .executeTakeFirst()
  if (event === undefined)
    throw refusedDecision(`${shownEntity(part)} was not split off`, 'Give the id of the part: mnemonic entities list shows it.')
  const { entity: whole } = JSON.parse(event.metadata_json ?? '{}') as { readonly entity: string }
  const entity = await findEntity(tx, whole, { ...options, own: true })
  const id = await writeOwnerDecision(tx, {
    ...{ type: 'entity_split_undone', about: ['split', entity.id, part.id], agentId: entity.agent_id, now: options.now },
    ...{ says: `${entity.name} is one after all`, facts: { entity: entity.id, part: part.id } },
  })
  if (id === undefined) throw forgottenName()
  await undoSplit(tx, part.id, places)
  await settleAll(tx, options)
  return { entity, part }
}

/** A name shared by part and whole means the part. */
async function partNamed(tx: WriteTx, named: string, options: DecideOptions): Promise<EntityRow> {
  try {
    return await findEntity(tx, named, { ...options, own: true })
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'AMBIGUOUS_ID') throw error
    const fits = (error.details?.fits ?? []) as readonly { readonly id: string }[]
    const parts = await tx.db
      .selectFrom('graph_splits')
      .select('part_id')
      .distinct()
      .where(
        'part_id',
        'in',
        fits.map(({ id }) => id),
      )
      .execute()
    const [part] = parts
    if (part === undefined || parts.length > 1) throw error
    return findEntity(tx, part.part_id, { ...options, own: true })
  }
}
