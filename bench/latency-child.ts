/** Searches in its own process, for its own memory and event loop. Prints JSON. */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { questions } from './latency-home.ts'
import { dist } from './retrieval-home.ts'
import { plainScan } from './vector-source.ts'

type Open = typeof import('../src/store/sqlite/open.ts')
type Search = typeof import('../src/search/search.ts')
type Minilm = typeof import('../src/embed/open-embedder.ts')

const WARM_UP = 10
const HITS = 10

export interface Latencies {
  readonly lexical: readonly number[]
  readonly vector: readonly number[]
  readonly hybrid: readonly number[]
  readonly plain: readonly number[]
  /** Time to embed the question. */
  readonly embedding: readonly number[]
  readonly firstHybrid: number
  readonly eventLoopP99: number
  readonly rss: number
  readonly realized: string
}

const [home = '', plain = '', models = '', count = '50'] = process.argv.slice(2)
const { openSqlite } = await dist<Open>('store/sqlite/open.js')
const { searcher } = await dist<Search>('search/search.js')
const { loadMinilm } = await dist<Minilm>('embed/open-embedder.js')
const store = await openSqlite({ path: join(home, 'mnemonic.db'), clock: Date.now })
const minilm = await loadMinilm({ modelsFolder: models })
const embed = async (query: string) => (await minilm.embed([query], { purpose: 'query' }))[0] as Float32Array
const options = { store, clock: Date.now, owner: { name: undefined, timezone: 'UTC' }, agentId: 'main' }
const lexical = searcher(options)
const hybrid = searcher({ ...options, embedQueries: (queries) => Promise.all(queries.map(embed)), embedModel: minilm.model })

const asked = questions(Number(count) + WARM_UP)
const timed = async (run: (query: string) => Promise<unknown>) => {
  const taken: number[] = []
  for (const query of asked) {
    const started = performance.now()
    await run(query)
    taken.push(performance.now() - started)
  }
  return taken.slice(WARM_UP)
}

const started = performance.now()
const { mode } = await hybrid.search({ query: asked[0] as string, limit: HITS })
const firstHybrid = performance.now() - started
const words = await timed((query) => lexical.search({ query, limit: HITS }))
const embedding = await timed(embed)
const vector = await timed(async (query) => store.vectors.nearest(await embed(query), { agentId: 'main' }, HITS))
await timed((query) => hybrid.search({ query, limit: HITS }))
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const both = await timed((query) => hybrid.search({ query, limit: HITS }))
delay.disable()
const { rss } = process.memoryUsage()
const scan = plainScan(plain)
const vectors = new Map<string, Float32Array>()
for (const query of asked) vectors.set(query, await embed(query))
const scanned = await timed(async (query) => scan.nearest(vectors.get(query) as Float32Array, HITS))
scan.close()
await Promise.all([lexical.flush(), hybrid.flush()])
await minilm.close()
await store.close()
const latencies: Latencies = {
  ...{ lexical: words, vector, hybrid: both, plain: scanned, embedding, firstHybrid, rss },
  eventLoopP99: delay.percentile(99) / 1e6,
  realized: mode.realized,
}
console.log(JSON.stringify(latencies))
