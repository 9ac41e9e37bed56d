/** Entities and observations as rows. Unused columns get a value, whatever the schema. */
import { createHash } from 'node:crypto'
import type { Store } from '../../src/store/store.ts'

export interface SeedEntity {
  readonly id: string
  readonly type?: string
  readonly name: string
  readonly aliases?: readonly (readonly [type: string, normalized: string])[]
  readonly canonical?: string
  readonly agent?: string
}

export interface SeedObservation {
  readonly id: string
  readonly subject: string
  readonly type: string
  readonly object?: string
  readonly literal?: string
  readonly fact: string
  readonly saidAt: number
  readonly message: string
  readonly span?: readonly [number, number]
  readonly trust?: string
  readonly confidence?: number
  readonly validAt?: number
  readonly invalidAt?: number
  readonly agent?: string
}

/** Deterministic. */
export function seedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

export async function seedEntities(store: Store, entities: readonly SeedEntity[]): Promise<void> {
  await store.write(async (tx) => {
    for (const { id, type = 'person', name, agent = 'main' } of entities)
      await tx.db
        .insertInto('entities')
        .values({ id, type, name, agent_id: agent, trust: 'owner', created_at: 0, updated_at: 0, message_id: 'm', run_id: 'seed' })
        .execute()
    for (const { id, name, aliases = [], agent = 'main' } of entities)
      for (const [alias_type, normalized] of [['name', name.toLowerCase()] as const, ...aliases]) {
        const row = {
          ...{ id: seedId(`${id} ${alias_type} ${normalized}`), agent_id: agent, entity_id: id, alias_type, value: normalized, normalized },
          ...{ trust: 'owner', created_at: 0, run_id: 'seed', message_id: 'm' },
        }
        const more = { given_by: 'header', rank: alias_type === 'name' ? '0' : '9' } as const
        await tx.db
          .insertInto('entity_aliases')
          .values({ ...row, ...more, ...(alias_type === 'name' ? { value: name } : {}) })
          .execute()
      }
    for (const { id, canonical } of entities)
      if (canonical !== undefined) await tx.db.updateTable('entities').set({ canonical_id: canonical }).where('id', '=', id).execute()
  })
}

export async function seedObservations(store: Store, observations: readonly SeedObservation[]): Promise<void> {
  await store.write(async (tx) => {
    for (const one of observations)
      await tx.db
        .insertInto('relationships')
        .values({
          ...{ id: one.id, agent_id: one.agent ?? 'main', subject_id: one.subject, type: one.type, object_id: one.object ?? null },
          ...{ target_literal: one.literal ?? null, fact: one.fact, source_type: 'stated', confidence: one.confidence ?? 1 },
          ...{ valid_at: one.validAt ?? null, invalid_at: one.invalidAt ?? null, created_at: one.saidAt, recorded_at: one.saidAt },
          ...{ run_id: 'seed', message_id: one.message, span_start: one.span?.[0] ?? 0, span_end: one.span?.[1] ?? one.fact.length },
          trust: one.trust ?? 'owner',
        })
        .execute()
  })
}

export async function seedMentions(
  store: Store,
  mentions: readonly { readonly episode: string; readonly entity: string; readonly message: string; readonly agent?: string }[],
): Promise<void> {
  await store.write(async (tx) => {
    for (const { episode, entity, message, agent = 'main' } of mentions)
      await tx.db
        .insertInto('episode_entity_mentions')
        .values({
          episode_id: episode,
          entity_id: entity,
          message_id: message,
          agent_id: agent,
          run_id: 'seed',
          span_start: 0,
          span_end: 1,
        })
        .execute()
  })
}
