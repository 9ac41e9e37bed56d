/** Approximate nearest neighbours: recall, and time beside a plain vec0 scan. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { DIMENSIONS, type RealVectors, realVectors } from './real-vectors.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, percentile, table } from './table.ts'
import { type Hit, type PlainScan, plainScan, vectorSource } from './vector-source.ts'

type Open = typeof import('../src/store/sqlite/open.ts')
type Store = Awaited<ReturnType<Open['openSqlite']>>

const BATCH = 2000
const HITS = 10
const MODEL = { model: 'bench', dimensions: DIMENSIONS }
const TIME = Date.UTC(2025, 0, 1)

export async function vectorBench({ root, full, brief, print }: BenchContext): Promise<void> {
  const real = await realVectors(print)
  const rows: string[][] = []
  // The latency bench has 100,000, too.
  const sizes = full ? [10_000, 100_000, 1_000_000] : brief ? [10_000] : [10_000, 100_000]
  if (real !== undefined) sizes.unshift(real.documents.length)
  for (const count of sizes) rows.push(await measure(join(root, `vectors-${count}`), count, real))
  const columns = [
    'vectors',
    'recall@10 / @100',
    'first search ms',
    'p50 / p95 ms',
    'vec0 scan p50 / p95 ms',
    'faster at p50',
    'rare filter p50',
    'event loop p99',
    'memory',
    'disk per vector',
  ]
  const of = real === undefined ? 'clusters of made-up vectors' : 'vectors of real texts, beyond their number noisy copies of them'
  print(table(`Nearest neighbours in ${DIMENSIONS} dimensions: ${of}`, columns, rows))
}

async function measure(path: string, count: number, real: RealVectors | undefined): Promise<string[]> {
  const { openSqlite } = (await import(new URL('../../../dist/store/sqlite/open.js', import.meta.url).href)) as Open
  // The store is exact up to 2,000; here every size is approximate.
  const store = await openSqlite({ path: `${path}.db`, clock: () => TIME, vectors: { exactMost: 0 } })
  const scan = plainScan(`${path}-vec0.db`)
  const { next, queries } = vectorSource(real, count >= 1_000_000 ? 20 : 50)
  await fill(store, scan, { count, next })

  const warmUp = queries.slice(0, 5)
  const started = performance.now()
  await store.vectors.nearest(warmUp[0] as Float32Array, {}, HITS)
  const first = performance.now() - started
  for (const query of warmUp) await store.vectors.nearest(query, {}, HITS)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const ours = await times(queries, (query) => store.vectors.nearest(query, { agentId: 'main' }, HITS))
  delay.disable()
  const rare = await times(queries.slice(0, 10), (query) => store.vectors.nearest(query, { hasDecision: true }, HITS))
  const plain = await times(queries, async (query) => scan.nearest(query, HITS))
  const hundred = await times(queries.slice(0, 20), (query) => store.vectors.nearest(query, {}, 100))
  const all = queries.slice(0, 20).map((query) => scan.nearest(query, 100))
  const row = [
    String(count),
    `${recall(ours.results, plain.results).toFixed(4)} / ${recall(hundred.results, all).toFixed(4)}`,
    milliseconds(first),
    latency(ours.taken),
    latency(plain.taken),
    `${(percentile(plain.taken, 0.5) / percentile(ours.taken, 0.5)).toFixed(1)} ×`,
    milliseconds(percentile(rare.taken, 0.5)),
    `${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
    `${megabytes(store.vectors.memory())} MB`,
    `${Math.round(diskBytes(`${path}.db`) / count)} B`,
  ]
  await store.close()
  scan.close()
  return row
}

const latency = (taken: readonly number[]) => `${milliseconds(percentile(taken, 0.5))} / ${milliseconds(percentile(taken, 0.95))}`

function recall(found: readonly (readonly Hit[])[], truth: readonly (readonly Hit[])[]): number {
  const shares = truth.map((hits, i) => {
    const ids = new Set(found[i]?.map(({ chunkId }) => chunkId))
    return hits.filter(({ chunkId }) => ids.has(chunkId)).length / hits.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

async function times<T>(
  queries: readonly Float32Array[],
  run: (query: Float32Array) => Promise<T>,
): Promise<{ taken: number[]; results: T[] }> {
  const taken: number[] = []
  const results: T[] = []
  for (const query of queries) {
    const started = performance.now()
    results.push(await run(query))
    taken.push(performance.now() - started)
  }
  return { taken, results }
}

async function fill(store: Store, scan: PlainScan, { count, next }: { count: number; next: () => Float32Array }): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    scan.begin()
    await store.write(async ({ db, chunks, vectors }) => {
      await vectors.useConfig(MODEL)
      const path = `documents/${start}.md`
      await db
        .insertInto('files')
        .values({ path, source: 'memory', hash: 'h', kind: 'document', identity: 'bench', updated_at: TIME })
        .execute()
      for (let i = start; i < Math.min(count, start + BATCH); i++) {
        const vector = next()
        const id = await chunks.add({
          ...{ path, source: 'memory', ledger: 'agents', session_id: path, chunk_index: i, timestamp: TIME + i, speakers: '["user"]' },
          ...{ message_ids: '[]', said_user: `note ${i} `.repeat(20), token_count: 60, trust: 'owner', content_hash: String(i) },
          ...{ has_decision: Number(i % 100 === 0), created_at: TIME },
        })
        const contentHash = createHash('sha256').update(String(i)).digest('hex')
        await vectors.assign(id, await vectors.add({ contentHash, ownerId: path, agentId: 'main', vector }))
        scan.add(id, vector)
      }
    })
    scan.commit()
  }
}

function diskBytes(path: string): number {
  const db = new Database(path, { readonly: true })
  const bytes = db
    .prepare("select sum(pgsize) from dbstat where name in ('vectors', 'idx_vectors_hash', 'chunk_signs', 'idx_index_chunks_vector')")
    .pluck()
    .get() as number
  db.close()
  return bytes
}
