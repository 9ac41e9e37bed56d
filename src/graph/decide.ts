/**
 * Owner decisions: merge, unmerge, reject, alias. Each is an event, so a rebuilt graph follows it again. A merge moves no rows: reads
 * resolve to the canonical entity.
 */
import type { CountryCode } from 'libphonenumber-js/min'
import { MnemonicError } from '../core/error.ts'
import { writeOwnerDecision } from '../ledgers/owner-decisions.ts'
import type { WriteTx } from '../store/store.ts'
import { areMistaken } from './evidence.ts'
import { findEntity } from './find-entity.ts'
import { type AliasType, aliasTypeOf, normalAlias } from './normal-alias.ts'
import { type EntityRow, groupOf } from './same-entity.ts'
import { type SettleOptions, settle } from './settle.ts'

export interface DecideOptions extends SettleOptions {
  readonly agentId: string
  readonly now: number
}

export async function mergeEntities(
  tx: WriteTx,
  { from, into }: { readonly from: string; readonly into: string },
  options: DecideOptions,
): Promise<{ from: EntityRow; into: EntityRow }> {
  const [one, other] = [await findEntity(tx, from, options), await findEntity(tx, into, options)]
  if (one.id === other.id) {
    throw refusedDecision(
      `${shownEntity(one)} is already one with ${shownEntity(other)}`,
      'Give two entities that mnemonic entities list shows as two.',
    )
  }
  checkPair(one, other)
  const [some, others] = [await groupOf(tx, one.id), await groupOf(tx, other.id)]
  await refuseRejected(tx, some, others)
  await decide(tx, 'merge', [one, other], options, { into: other.id })
  return { from: one, into: other }
}

function checkPair(one: EntityRow, other: EntityRow): void {
  if (one.agent_id !== other.agent_id)
    throw refusedDecision(
      `${shownEntity(one)} belongs to the memory of ${one.agent_id}, ${shownEntity(other)} to that of ${other.agent_id}`,
      'Only entities of one agent can be merged.',
    )
  if (one.type !== other.type && !areMistaken(one.type, other.type))
    throw refusedDecision(
      `${shownEntity(one)} is a ${one.type}, ${shownEntity(other)} a ${other.type}`,
      `Only entities of one type can be merged. If it is wrong: mnemonic entities retype ${one.id.slice(0, 8)} ${other.type}`,
    )
}

/** Refuses a merge that would join rejected pairs through a third entity. */
async function refuseRejected(tx: WriteTx, some: readonly EntityRow[], others: readonly EntityRow[]): Promise<void> {
  for (const one of some)
    for (const other of others) {
      const [a, b] = one.id < other.id ? [one, other] : [other, one]
      const rejected = await tx.db
        .selectFrom('graph_decisions')
        .select('decision')
        .where('entity_a_id', '=', a.id)
        .where('entity_b_id', '=', b.id)
        .where('decision', '=', 'reject')
        .executeTakeFirst()
      // A direct merge of the pair overrides the rejection.
      if (rejected !== undefined && (some.length > 1 || others.length > 1))
        throw refusedDecision(
          `${shownEntity(a)} and ${shownEntity(b)} were said to be two`,
          `To change that: mnemonic entities merge ${a.id.slice(0, 8)} ${b.id.slice(0, 8)}, before they are parts of others.`,
        )
    }
}

export async function unmergeEntity(tx: WriteTx, named: string, options: DecideOptions): Promise<{ entity: EntityRow; from: EntityRow[] }> {
  const entity = await partNamed(tx, named, options)
  const rows = await tx.db
    .selectFrom('merge_candidates')
    .select(['entity_a_id', 'entity_b_id', 'decided_by'])
    .where('status', '=', 'merged')
    .where((eb) => eb.or([eb('entity_a_id', '=', entity.id), eb('entity_b_id', '=', entity.id)]))
    .execute()
  const merged = await tx.db
    .selectFrom('graph_decisions')
    .selectAll()
    .where('decision', '=', 'merge')
    .where((eb) => eb.or([eb('entity_a_id', '=', entity.id), eb('entity_b_id', '=', entity.id)]))
    .execute()
  // Undoes its own merge; without one, all pairs that hold it.
  const own = merged.filter(({ into_id }) => into_id !== entity.id)
  const pairs = own.length > 0 ? own : rows
  if (pairs.length === 0)
    throw refusedDecision(`${shownEntity(entity)} is not merged`, 'mnemonic entities show NAME lists what an entity is made of.')
  const others: EntityRow[] = []
  for (const { entity_a_id, entity_b_id } of pairs) {
    const other = await findEntity(tx, entity_a_id === entity.id ? entity_b_id : entity_a_id, { ...options, own: true })
    await decide(tx, 'unmerge', [entity, other], options, {})
    others.push(other)
  }
  return { entity, from: others }
}

/** A name shared by part and whole means the part. */
async function partNamed(tx: WriteTx, named: string, options: DecideOptions): Promise<EntityRow> {
  try {
    return await findEntity(tx, named, { ...options, own: true })
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'AMBIGUOUS_ID') throw error
    const canonical = await findEntity(tx, named, options)
    const parts = (await groupOf(tx, canonical.id)).filter(({ id }) => id !== canonical.id)
    const [part] = parts
    if (part !== undefined && parts.length === 1) return part
    throw error
  }
}

export async function rejectCandidate(
  tx: WriteTx,
  { one, other }: { readonly one: string; readonly other: string },
  options: DecideOptions,
): Promise<{ a: EntityRow; b: EntityRow }> {
  const [a, b] = [await findEntity(tx, one, { ...options, own: true }), await findEntity(tx, other, { ...options, own: true })]
  if (a.id === b.id) throw refusedDecision(`${shownEntity(a)} is one entity`, 'Give the two that are to stay apart.')
  if ((a.canonical_id ?? a.id) === (b.canonical_id ?? b.id))
    throw refusedDecision(
      `${shownEntity(a)} and ${shownEntity(b)} are merged`,
      `mnemonic entities unmerge ${a.id.slice(0, 8)} takes them apart.`,
    )
  await decide(tx, 'reject', [a, b], options, {})
  return { a, b }
}

/** Does not check whether they are one now. */
export async function rejectPair(tx: WriteTx, pair: readonly [EntityRow, EntityRow], options: DecideOptions): Promise<void> {
  await decide(tx, 'reject', pair, options, {})
}

export interface NewAlias {
  readonly entity: string
  readonly value: string
  readonly type?: AliasType | undefined
  readonly country?: CountryCode | undefined
}

/** A name becomes the displayed name. */
export async function aliasEntity(
  tx: WriteTx,
  { entity, value, type: given, country }: NewAlias,
  options: DecideOptions,
): Promise<EntityRow> {
  const of = await findEntity(tx, entity, options)
  const type = given ?? aliasTypeOf(value, of.type)
  const { type: alias_type, normalized } = normalAlias({ type, value }, { entityType: of.type, country })
  if (normalized === '') throw refusedDecision(`${JSON.stringify(value)} is no ${type}`, 'Give a name, an address or a number.')
  const id = await writeOwnerDecision(tx, {
    ...{ type: 'entity_alias', about: [of.id, alias_type, normalized], agentId: of.agent_id, now: options.now },
    says: `${of.name} is also known as ${value.trim()}`,
    facts: { entity: of.id, alias_type, value: value.trim(), normalized },
  })
  if (id === undefined) throw forgottenName()
  await settleAll(tx, options)
  return of
}

export async function removeAlias(
  tx: WriteTx,
  { entity, value }: { readonly entity: string; readonly value: string },
  options: DecideOptions,
): Promise<EntityRow> {
  const of = await findEntity(tx, entity, options)
  const given = await tx.db
    .selectFrom('graph_owner_aliases')
    .selectAll()
    .where(
      'entity_id',
      'in',
      (await groupOf(tx, of.id)).map(({ id }) => id),
    )
    .execute()
  const wanted = value.trim().toLowerCase()
  const [alias] = given.filter((one) => one.value.toLowerCase() === wanted || one.normalized === wanted)
  if (alias === undefined)
    throw refusedDecision(
      `${shownEntity(of)} was not called ${JSON.stringify(value)} by you`,
      'Only an alias that was added with this command can be removed.',
    )
  await writeOwnerDecision(tx, {
    ...{
      type: 'entity_alias_removed',
      about: [alias.entity_id, alias.alias_type, alias.normalized],
      agentId: of.agent_id,
      now: options.now,
    },
    says: `${of.name} is not known as ${alias.value}`,
    facts: { entity: alias.entity_id, alias_type: alias.alias_type, normalized: alias.normalized },
  })
  await settleAll(tx, options)
  return of
}

async function decide(
  tx: WriteTx,
  decision: 'merge' | 'unmerge' | 'reject',
  [one, other]: readonly [EntityRow, EntityRow],
  options: DecideOptions,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const [a, b] = one.id < other.id ? [one, other] : [other, one]
  const says = {
    merge: `${one.name} is ${other.name}`,
    unmerge: `${one.name} is not ${other.name} after all`,
    reject: `${one.name} is not ${other.name}`,
  }
  const id = await writeOwnerDecision(tx, {
    ...{ type: `entity_${decision}`, about: ['entities', a.id, b.id], agentId: one.agent_id, now: options.now, says: says[decision] },
    facts: { a: a.id, b: b.id, ...facts },
  })
  if (id === undefined) throw forgottenName()
  await settleAll(tx, options)
}

export async function settleAll(tx: WriteTx, options: SettleOptions): Promise<void> {
  while ((await settle(tx, options)) > 0);
}

export const shownEntity = ({ name, id }: EntityRow) => `${JSON.stringify(name)} (${id.slice(0, 8)})`

export function refusedDecision(message: string, hint: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', message, { hint })
}

export function forgottenName(): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', 'one of the names was forgotten, and nothing of it is written again')
}
