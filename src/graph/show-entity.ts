/** One entity with all that is known of it: what it is called, what it is made of, what was said of it and where. Reads only; redacted. */
import { isoOrNull, toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import type { Store } from '../store/store.ts'
import { candidatesWith } from './candidate-list.ts'
import type { EntityAlias, EntityObservation, ShownEntity } from './entity-answers.ts'
import { partOf, redacted } from './entity-part.ts'
import { findEntity, groupOf } from './find-entity.ts'
import { summariesOf } from './list-entities.ts'

export interface ShowEntityOptions {
  readonly agentId: string
  readonly type?: string | undefined
  /** Most observations; 50 when absent. */
  readonly limit?: number | undefined
}

export async function showEntity(store: Pick<Store, 'read'>, named: string, options: ShowEntityOptions): Promise<ShownEntity> {
  const db = { db: store.read }
  const root = await findEntity(db, named, options)
  const parts = await groupOf(db, root.id)
  const ids = parts.map(({ id }) => id)
  const summary = (await summariesOf(store, [root.id])).get(root.id)
  if (summary === undefined) throw new Error('an entity that was found is gone')
  const { observations, total } = await observationsOf(store, ids, options.limit ?? 50)
  return {
    entity: summary,
    aliases: await aliasesOf(store, ids),
    parts: parts.map(partOf),
    ...{ observations, observations_total: total },
    candidates: await candidatesWith(store, ids),
  }
}

async function aliasesOf({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<EntityAlias[]> {
  const rows = await read
    .selectFrom('entity_aliases')
    .select(['alias_type', 'value', 'normalized', 'given_by', 'trust', 'rank'])
    .where('entity_id', 'in', ids)
    .orderBy('rank')
    .execute()
  const found = new Map<string, EntityAlias>()
  const better = { owner: 0, header: 1, text: 2 } as const
  for (const { alias_type: type, value, normalized, given_by, trust } of rows) {
    const key = `${type}\n${normalized}`
    const before = found.get(key)
    const one = { type, value: redacted(value), given_by, trust: trust as Trust, times: 1 }
    if (before === undefined) found.set(key, one)
    else
      found.set(key, {
        ...before,
        given_by: better[given_by] < better[before.given_by] ? given_by : before.given_by,
        times: before.times + 1,
      })
  }
  return [...found.values()]
}

async function observationsOf(
  { read }: Pick<Store, 'read'>,
  ids: readonly string[],
  limit: number,
): Promise<{ observations: EntityObservation[]; total: number }> {
  const about = read.selectFrom('relationships').where((eb) => eb.or([eb('subject_id', 'in', ids), eb('object_id', 'in', ids)]))
  const { total } = await about.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await about.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).execute()
  const own = new Set(ids)
  const others = new Map<string, EntityObservation['other']>()
  const named = await read
    .selectFrom('entities as e')
    .leftJoin('entities as c', 'c.id', 'e.canonical_id')
    .select(['e.id', 'e.name', 'e.type', 'c.id as rootId', 'c.name as rootName'])
    .where('e.id', 'in', [
      ...new Set(rows.flatMap(({ subject_id, object_id }) => [subject_id, ...(object_id === null ? [] : [object_id])])),
    ])
    .execute()
  for (const { id, name, type, rootId, rootName } of named) others.set(id, { id: rootId ?? id, name: redacted(rootName ?? name), type })
  return {
    total: Number(total),
    observations: rows.map((row) => {
      const direction = own.has(row.subject_id) ? 'subject' : 'object'
      const other = direction === 'subject' ? row.object_id : row.subject_id
      return {
        ...{ id: row.id, type: row.type, direction, other: other === null ? null : (others.get(other) ?? null) },
        ...{ literal: row.target_literal === null ? null : redacted(row.target_literal), fact: redacted(row.fact) },
        ...{ confidence: row.confidence, source_type: row.source_type, trust: row.trust as Trust, said_at: toIso(row.created_at) },
        ...{ valid_at: isoOrNull(row.valid_at), invalid_at: isoOrNull(row.invalid_at), message_id: row.message_id },
        span: row.span_start === null || row.span_end === null ? null : [row.span_start, row.span_end],
      } satisfies EntityObservation
    }),
  }
}
