/** Retrieval of labelled evidence, beside baselines on the same units and vectors. */
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASELINES, baselines } from './retrieval-baselines.ts'
import { type CachedEmbedder, cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { CATEGORIES, type Haystack, locomo, longMemEval, type Question, readFolder } from './retrieval-data.ts'
import { type Case, fitter, PARTS, type Weights, without } from './retrieval-fit.ts'
import { dist, openHome, type Result, type Unit } from './retrieval-home.ts'
import { percent, type Recall, recallOf, type SessionRecall, sessionRecallOf } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type Rank = typeof import('../src/search/rank.ts')
type LoadMinilm = typeof import('../src/embed/open-embedder.ts')

const SHARED = fileURLToPath(new URL('../../../../shared/bench/', import.meta.url))
/** Enough for ten units and for 2,000 tokens; more would enlarge the candidate set. */
const HITS = 40
/** Enough for five sessions. */
const SESSION_HITS = 40
const OURS = 'Mnemonic'
/** Cross-validation needs two. */
const BRIEF_CONVERSATIONS = 2
const WORDS_ONLY = 'Mnemonic, no vectors'

export async function retrievalBench(context: BenchContext): Promise<void> {
  const embedder = await openEmbedder(context)
  if (embedder === undefined) return
  try {
    const conversations = folder(context, 'locomo', locomo)?.slice(0, context.brief ? BRIEF_CONVERSATIONS : undefined)
    if (conversations) await locomoTables(context, conversations, embedder)
    const haystacks = context.brief ? undefined : folder(context, 'longmemeval', longMemEval)
    if (context.brief) context.print(`in brief: ${BRIEF_CONVERSATIONS} conversations; npm run bench -- retrieval measures all`)
    if (haystacks) await longMemEvalTable(context, haystacks, embedder)
  } finally {
    await embedder.close()
  }
}

export async function openEmbedder({ root, print }: BenchContext): Promise<CachedEmbedder | undefined> {
  try {
    const { loadMinilm } = await dist<LoadMinilm>('embed/open-embedder.js')
    return await cachedEmbedder((await loadMinilm({ modelsFolder: join(root, 'models') })) as Embedder)
  } catch (error) {
    print(`left out: the embedded model is not here, so nothing of retrieval was measured (${String(error)})`)
    return undefined
  }
}

export function folder({ options, print }: BenchContext, name: string, read: typeof locomo): Haystack[] | undefined {
  const given = options.get(name)
  // npm changes the folder: relative paths count from the caller's.
  const path = given === undefined ? join(SHARED, name) : isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
  const found = readFolder(path, read)
  if (found === undefined || found.length === 0) print(`left out: no files of ${name} in ${path}`)
  return found?.length === 0 ? undefined : found
}

/** A long answer is several units. */
const byText = (units: Iterable<Unit>) => new Map(Array.from(units, (unit) => [`jsonl:${unit.session}\n${unit.text}`, unit]))

const unitsOf = (results: readonly Result[], known: ReadonlyMap<string, Unit>) =>
  results.flatMap(({ session_id, content }) => known.get(`${session_id}\n${content}`) ?? [])

interface LocomoCase extends Case<Recall> {
  readonly conversation: string
  readonly question: Question
}

type Row = { readonly conversation: string; readonly category: string } & Recall

async function locomoTables({ root, print }: BenchContext, conversations: readonly Haystack[], embedder: CachedEmbedder): Promise<void> {
  const rows = new Map<string, Row[]>()
  const add = (name: string, row: Row) => rows.set(name, [...(rows.get(name) ?? []), row])
  const cases: LocomoCase[] = []
  const { scoresOf, featuresOf, WEIGHTS } = await dist<Rank>('search/rank.js')
  for (const haystack of conversations) {
    const home = await openHome(root, haystack, embedder)
    const known = byText(home.units.values())
    for (const question of haystack.questions) {
      const row = { conversation: haystack.name, category: question.category }
      for (const [name, order] of Object.entries(await baselines(home, question.query))) add(name, { ...row, ...recallOf(order, question) })
      add(WORDS_ONLY, { ...row, ...recallOf(unitsOf(await home.lexical(question.query, HITS), known), question) })
      const { results, ranking } = await home.search(question.query, HITS)
      add(OURS, { ...row, ...recallOf(unitsOf(results, known), question) })
      const units = ranking?.candidates.map(({ chunkId }) => home.units.get(chunkId) as Unit) ?? []
      const measure: LocomoCase['measure'] = ([order = []]) =>
        recallOf(
          order.map((i) => units[i] as Unit),
          question,
        )
      if (ranking) cases.push({ conversation: haystack.name, question, features: [featuresOf(ranking)], measure })
    }
    await home.close()
  }
  const fit = fitter<Recall, LocomoCase>(cases, scoresOf, goodness)
  const rowsOf = (recalls: readonly Recall[]) =>
    cases.map(({ conversation, question }, i) => ({ conversation, category: question.category, ...(recalls[i] as Recall) }))
  const apart = conversations.map(({ name }) => fit.measured(fit.fit((one) => one.conversation !== name)))
  const left = cases.map(({ conversation }, i) => apart[conversations.findIndex(({ name }) => name === conversation)]?.[i] as Recall)
  const fitted = fit.fit(() => true)
  rows.set('weights fitted without the conversation', rowsOf(left))
  rows.set('weights fitted on all', rowsOf(fit.measured(fitted)))
  const names = [...BASELINES, WORDS_ONLY, OURS, 'weights fitted without the conversation', 'weights fitted on all']
  const size = `${conversations.length} conversations, ${cases.length} questions, ${cases.length === 0 ? 0 : rows.get(OURS)?.length} asked`
  print(
    table(
      `LoCoMo: evidence recall % @10 / within 2,000 tokens (${size})`,
      locomoColumns(conversations),
      names.map((name) => [name, ...locomoCells(rows.get(name) ?? [], conversations)]),
    ),
  )
  printFit(print, fitted, WEIGHTS)
  const ablation = PARTS.map((part) => [`without ${part}`, ...locomoCells(rowsOf(fit.measured(without(WEIGHTS, part))), conversations)])
  const whole = ['all parts', ...locomoCells(rowsOf(fit.measured(WEIGHTS)), conversations)]
  print(table('What each part is good for (the product’s weights, one set to 0)', locomoColumns(conversations), [whole, ...ablation]))
}

function goodness(some: readonly (readonly [one: unknown, recall: Recall])[]): number {
  return some.reduce((sum, [, { at10, budget, gain }]) => sum + (at10 + budget + gain) / 3, 0) / some.length
}

function locomoColumns(conversations: readonly Haystack[]): string[] {
  return ['', 'all', ...Object.values(CATEGORIES), ...conversations.map(({ name }) => name)]
}

function locomoCells(rows: readonly Row[], conversations: readonly Haystack[]): string[] {
  const cell = (some: readonly Row[]) => `${percent(some.map(({ at10 }) => at10))} / ${percent(some.map(({ budget }) => budget))}`
  return [
    cell(rows),
    ...Object.values(CATEGORIES).map((name) => cell(rows.filter(({ category }) => category === name))),
    ...conversations.map(({ name }) => cell(rows.filter(({ conversation }) => conversation === name))),
  ]
}

export function printFit(print: (line: string) => void, fitted: Weights, product: Weights): void {
  const names = Object.keys(product) as (keyof Weights)[]
  const show = (weights: Weights) => names.map((name) => String(weights[name]))
  print(
    table(
      'Weights',
      ['', ...names],
      [
        ['fitted on all', ...show(fitted)],
        ['the product’s', ...show(product)],
      ],
    ),
  )
}

async function longMemEvalTable({ root, print }: BenchContext, haystacks: readonly Haystack[], embedder: CachedEmbedder): Promise<void> {
  const rows = new Map<string, (SessionRecall & { category: string })[]>()
  for (const haystack of haystacks) {
    const home = await openHome(join(root, 'longmemeval'), haystack, embedder)
    const known = byText(home.units.values())
    for (const question of haystack.questions) {
      const found = await baselines(home, question.query)
      const ours = unitsOf((await home.search(question.query, SESSION_HITS)).results, known)
      const words = unitsOf(await home.lexical(question.query, SESSION_HITS), known)
      for (const [name, order] of Object.entries({ ...found, [WORDS_ONLY]: words, [OURS]: ours })) {
        rows.set(name, [...(rows.get(name) ?? []), { ...sessionRecallOf(order, question), category: question.category }])
      }
    }
    await home.close()
  }
  const categories = [...new Set(haystacks.flatMap(({ questions }) => questions.map(({ category }) => category)))].toSorted()
  const cell = (some: readonly SessionRecall[]) => `${percent(some.map(({ any }) => any))} / ${percent(some.map(({ all }) => all))}`
  const cells = [...rows].map(([name, all]) => [
    name,
    cell(all),
    percent(all.map(({ turns }) => turns)),
    ...categories.map((one) => cell(all.filter(({ category }) => category === one))),
  ])
  const title = `LongMemEval: any / all evidence sessions among the first five, %; evidence turns @10, % (${haystacks.length} questions)`
  print(table(title, ['', 'any / all', 'turns @10', ...categories], cells))
}
