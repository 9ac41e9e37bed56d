import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder, codingQuestions } from './coding-data.ts'
import { foundIn } from './coding-metrics.ts'
import { type Baseline, baselines } from './retrieval-baselines.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import type { Haystack } from './retrieval-data.ts'
import type { Features } from './retrieval-fit.ts'
import { dist, type Home, openHome, openSearch, type Result, type Unit } from './retrieval-home.ts'
import { recallOf, sessionRecallOf } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'

type Rank = typeof import('../src/search/rank.ts')
type Tokens = typeof import('../src/core/tokens.ts')
type Fuse = typeof import('../src/search/fuse.ts')

/** Table columns, and `gain` for fitting: it changes with every step, where the columns jump. */
export interface Measured {
  readonly good: number
  readonly columns: Readonly<Record<string, number>>
}

export interface RankingCase {
  readonly set: 'LoCoMo' | 'LongMemEval' | 'coding' | 'phrasings'
  /** Unit of cross-validation: a conversation, or every fifth question. */
  readonly fold: number
  readonly features: readonly Features[]
  measure(orders: readonly (readonly number[])[]): Measured
  readonly product: Measured
  readonly baselines: Readonly<Record<Baseline, Measured>>
}

export const FOLDS = 5
const HITS = 40
/** As in the product. */
const FUSED = 100

export async function locomoCases(root: string, conversations: readonly Haystack[], embedder: CachedEmbedder): Promise<RankingCase[]> {
  return conversationCases(root, conversations, embedder, 'LoCoMo', (order, question) => {
    const { at10, budget, gain } = recallOf(order, question)
    return { good: (at10 + budget + gain) / 3, columns: { 'LoCoMo @10': at10, 'LoCoMo in 2,000': budget } }
  })
}

export async function longMemEvalCases(root: string, haystacks: readonly Haystack[], embedder: CachedEmbedder): Promise<RankingCase[]> {
  return conversationCases(root, haystacks, embedder, 'LongMemEval', (order, question) => {
    const { all, turns } = sessionRecallOf(order, question)
    const gain = question.turns.length === 0 ? all : recallOf(order, question).gain
    const share = Number.isNaN(turns) ? all : turns
    return { good: (all + share + gain) / 3, columns: { 'LongMemEval all': all, 'LongMemEval turns @10': turns } }
  })
}

async function conversationCases(
  root: string,
  haystacks: readonly Haystack[],
  embedder: CachedEmbedder,
  set: RankingCase['set'],
  measured: (order: readonly Unit[], question: Haystack['questions'][number]) => Measured,
): Promise<RankingCase[]> {
  const { featuresOf } = await dist<Rank>('search/rank.js')
  const cases: RankingCase[] = []
  for (const [number, haystack] of haystacks.entries()) {
    const home = await openHome(join(root, set), haystack, embedder)
    const known = new Map(Array.from(home.units.values(), (unit) => [`jsonl:${unit.session}\n${unit.text}`, unit]))
    for (const question of haystack.questions) {
      const { results, ranking } = await home.search(question.query, HITS)
      const of = (order: readonly Unit[]) => measured(order, question)
      const units = ranking?.candidates.map(({ chunkId }) => home.units.get(chunkId) as Unit) ?? []
      cases.push({
        ...{ set, fold: number % FOLDS, features: ranking ? [featuresOf(ranking)] : [] },
        measure: ([order = []]) => of(order.map((i) => units[i] as Unit)),
        product: of(results.flatMap(({ session_id, content }) => known.get(`${session_id}\n${content}`) ?? [])),
        baselines: mapped(await baselines(home, question.query), of),
      })
    }
    await home.close()
  }
  return cases
}

/** Each question alone and with its phrasings. */
export async function codingCases(context: BenchContext, embedder: CachedEmbedder): Promise<RankingCase[]> {
  const { featuresOf } = await dist<Rank>('search/rank.js')
  const { fuse, SLOWNESS } = await dist<Fuse>('search/fuse.js')
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  const home = await codingHome(context, embedder)
  if (home === undefined) return []
  const cases: RankingCase[] = []
  for (const [number, question] of codingQuestions().entries()) {
    const [query = '', ...queries] = question.phrasings
    const alone = await home.search(query, HITS)
    const several = await home.search(query, HITS, queries)
    const lists: Record<Baseline, Unit[]>[] = []
    for (const phrasing of question.phrasings) lists.push(await baselines(home, phrasing))
    const unitsOf = (ids: readonly number[]) => ids.flatMap((id) => home.units.get(id) ?? [])
    const fused = (orders: readonly (readonly number[])[], slowness: number) => {
      const ranked = orders.map((ids) => ids.slice(0, FUSED).map((chunkId) => ({ chunkId, group: '', score: 0, parts: {}, matched: [] })))
      return fuse(ranked, slowness).map(({ chunkId }) => chunkId)
    }
    const of = (name: string) => (hits: readonly { readonly ids: readonly string[]; readonly tokens: number }[]) => {
      const { at5, at10, budget, gain } = foundIn(question.facts, hits)
      return {
        good: (at5 + at10 + budget + gain) / 4,
        columns: { [`${name} @5`]: at5, [`${name} @10`]: at10, [`${name} in 2,000`]: budget },
      }
    }
    const shown = (units: readonly Unit[]) => units.map(({ turns, tokens }) => ({ ids: turns, tokens }))
    const hits = (results: readonly Result[]) =>
      results.map(({ message_ids, content }) => ({ ids: message_ids, tokens: countTokens(content) }))
    for (const set of ['coding', 'phrasings'] as const) {
      const { rankings, results } = set === 'coding' ? alone : several
      const candidates = rankings.map((ranking) => ranking.candidates.map(({ chunkId }) => chunkId))
      const idsOf = (orders: readonly (readonly number[])[]) => orders.map((order, n) => order.map((i) => candidates[n]?.[i] as number))
      const listed = (name: Baseline) =>
        fused(
          (set === 'coding' ? lists.slice(0, 1) : lists).map((list) => list[name].map(({ chunkId }) => chunkId)),
          60,
        )
      const names = Object.keys(lists[0] ?? {}) as Baseline[]
      cases.push({
        ...{ set, fold: number % FOLDS, features: rankings.map((ranking) => featuresOf(ranking)) },
        measure: (orders) => of(set)(shown(unitsOf(fused(idsOf(orders), SLOWNESS)))),
        product: of(set)(hits(results)),
        baselines: Object.fromEntries(names.map((name) => [name, of(set)(shown(unitsOf(listed(name))))])) as Record<Baseline, Measured>,
      })
    }
  }
  await home.close()
  return cases
}

async function codingHome(context: BenchContext, embedder: CachedEmbedder): Promise<Home | undefined> {
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    context.print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return undefined
  }
  const root = join(context.root, 'coding')
  const logs = join(root, 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const clock = () => ASKED_AT
  const config = { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } }
  const mnemonic = await openMnemonic({ home: join(root, 'home'), workspace: join(root, 'workspace'), config, clock, embedder })
  await mnemonic.sync({ path: logs, adapters: ['claude-code'] })
  await mnemonic.embedding.run()
  const { database } = mnemonic.paths
  await mnemonic.close()
  return openSearch(database, { clock, owner: { name: undefined, timezone: 'UTC' }, embedder })
}

function mapped(lists: Record<Baseline, Unit[]>, of: (order: readonly Unit[]) => Measured): Record<Baseline, Measured> {
  return Object.fromEntries(Object.entries(lists).map(([name, order]) => [name, of(order)])) as Record<Baseline, Measured>
}
