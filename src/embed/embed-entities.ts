import { sha256 } from '../core/hash.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { embedBatch } from './embed-batch.ts'
import type { Embedder } from './embedder.ts'

export interface EmbedEntitiesOptions {
  readonly store: Store
  readonly embedder: Embedder
  readonly lease: Lease
  readonly batchSize: number
  readonly now: number
  readonly signal: AbortSignal | undefined
  readonly isOver: () => boolean
}

interface EntityToEmbed {
  readonly id: string
  readonly agentId: string
  readonly name: string
  readonly text: string
}

export async function waitingEntities({ read }: Pick<Store, 'read'>): Promise<number> {
  const { waiting } = await read
    .selectFrom('entities')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('embed_status', '=', 'waiting')
    .where('embed_status', '<>', 'done')
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** Also requeues entities embedded by another model. Returns the number embedded. */
export async function embedEntities(options: EmbedEntitiesOptions): Promise<number> {
  const { store, signal } = options
  await letOthersWait(options)
  let done = 0
  for (;;) {
    throwIfStopped(signal, 'embedding')
    const batch = options.isOver() ? [] : await nextEntities(store, options.batchSize)
    if (batch.length === 0) return done
    const { failed, over } = await embedBatch(batch, {
      ...{ embed: (texts, how) => options.embedder.embed(texts, how), signal, textOf: ({ text }) => text },
      keep: async (part, vectors) => {
        done += await keep(options, part, vectors)
      },
    })
    if (over !== undefined) return done
    if (failed.length > 0) await mark(options, failed)
  }
}

async function letOthersWait({ store, lease }: EmbedEntitiesOptions): Promise<void> {
  const known = await store.read.selectFrom('entities').select('id').limit(1).executeTakeFirst()
  if (known === undefined) return
  await store.write(async (tx) => {
    await lease.check(tx)
    const { id } = await tx.vectors.using()
    await tx.db
      .updateTable('entities')
      .set({ embed_status: 'waiting' })
      .where('embed_status', '=', 'done')
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('vector_owners as o')
          .innerJoin('vectors as v', 'v.number', 'o.number')
          .innerJoin('index_words as w', 'w.number', 'v.config')
          .select('o.owner_id')
          .where('o.owner_type', '=', 'entity')
          .where('w.word', '=', id),
      )
      .execute()
  })
}

async function nextEntities({ read }: Store, limit: number): Promise<EntityToEmbed[]> {
  const rows = await read
    .selectFrom('entities')
    .select(['id', 'agent_id', 'type', 'name'])
    .where('embed_status', '=', 'waiting')
    .where('embed_status', '<>', 'done')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, agent_id: agentId, type, name }) => ({
    ...{ id, agentId, name },
    text: redactSensitiveText(`${type.replaceAll('_', ' ')}: ${name}`, { mode: 'tools' }),
  }))
}

async function keep(
  { store, lease, now }: EmbedEntitiesOptions,
  part: readonly EntityToEmbed[],
  vectors: readonly Float32Array[],
): Promise<number> {
  return store.write(async (tx) => {
    await lease.check(tx)
    let kept = 0
    for (const [at, { id, agentId, name, text }] of part.entries()) {
      const vector = vectors[at]
      const row = await tx.db.selectFrom('entities').select('name').where('id', '=', id).executeTakeFirst()
      // A vector reveals its text: store none for an entity renamed or forgotten meanwhile.
      if (vector === undefined || row?.name !== name) continue
      const before = await tx.db
        .selectFrom('vector_owners')
        .select('number')
        .where('owner_type', '=', 'entity')
        .where('owner_id', '=', id)
        .execute()
      for (const { number } of before) await tx.db.deleteFrom('vector_owners').where('number', '=', number).execute()
      for (const { number } of before) await tx.db.deleteFrom('vectors').where('number', '=', number).execute()
      const number = await tx.vectors.add({ contentHash: sha256('entity\n', id, '\n', text), ownerId: id, agentId, vector })
      await tx.db
        .insertInto('vector_owners')
        .values({ number, owner_type: 'entity', owner_id: id, episode_id: null, event_id: null, agent_id: agentId, created_at: now })
        .execute()
      await tx.db.updateTable('entities').set({ embed_status: 'done' }).where('id', '=', id).execute()
      kept += 1
    }
    return kept
  })
}

async function mark({ store, lease }: EmbedEntitiesOptions, failed: readonly EntityToEmbed[]): Promise<void> {
  await store.write(async (tx) => {
    await lease.check(tx)
    for (const { id } of failed) await tx.db.updateTable('entities').set({ embed_status: 'failed' }).where('id', '=', id).execute()
  })
}
