/**
 * Finds entities with similar names by their vectors: 'Postgres' and 'PostgreSQL'. Never people: similar names mostly belong to two. Only
 * proposals.
 */
import type { WriteTx } from '../store/store.ts'
import type { EvidenceItem } from './evidence.ts'

/** Cosine; below it, names are related but different. */
const NEAR = 0.8
/** Skips types with more entities: the comparison is pairwise. */
const MOST = 3000
const WEIGHT = 0.35

export function similarEntities(tx: WriteTx) {
  const read = new Map<string, Promise<Map<string, { readonly name: string; readonly vector: Float32Array }>>>()
  return {
    async near(of: { readonly id: string; readonly agentId: string; readonly type: string }): Promise<Map<string, EvidenceItem>> {
      const found = new Map<string, EvidenceItem>()
      if (of.type === 'person') return found
      const key = `${of.agentId}\n${of.type}`
      const all = read.get(key) ?? vectorsOf(tx, of)
      read.set(key, all)
      const own = (await all).get(of.id)
      if (own === undefined) return found
      for (const [id, { name, vector }] of await all) {
        if (id === of.id || digits(name) !== digits(own.name)) continue
        if (cosine(own.vector, vector) >= NEAR)
          found.set(id, { by: 'embedding', says: 'a name of nearly the same meaning', value: '', weight: WEIGHT })
      }
      return found
    },
  }
}

async function vectorsOf(
  tx: WriteTx,
  { agentId, type }: { readonly agentId: string; readonly type: string },
): Promise<Map<string, { readonly name: string; readonly vector: Float32Array }>> {
  const rows = await tx.db
    .selectFrom('entities')
    .select(['id', 'name'])
    .where('agent_id', '=', agentId)
    .where('type', '=', type)
    .where('embed_status', '=', 'done')
    .orderBy('id')
    .limit(MOST + 1)
    .execute()
  if (rows.length > MOST) return new Map()
  const vectors = await tx.vectors.ofEntities(rows.map(({ id }) => id))
  return new Map(
    rows.flatMap(({ id, name }) => {
      const vector = vectors.get(id)
      return vector === undefined ? [] : [[id, { name, vector }] as const]
    }),
  )
}

/** Version 1 and version 2 have similar vectors. */
function digits(name: string): string {
  return name.replace(/\D+/g, ' ').trim()
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
