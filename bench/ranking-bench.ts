/** All three sets: baselines, the product, cross-validated weights, and the worth of each part. */
import { join } from 'node:path'
import { codingCases, FOLDS, locomoCases, longMemEvalCases, type Measured, type RankingCase } from './ranking-cases.ts'
import { BASELINES } from './retrieval-baselines.ts'
import { folder, openEmbedder, printFit } from './retrieval-bench.ts'
import { locomo, longMemEval } from './retrieval-data.ts'
import { fitter, PARTS, without } from './retrieval-fit.ts'
import { dist } from './retrieval-home.ts'
import { percent } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type Rank = typeof import('../src/search/rank.ts')

export async function rankingBench(context: BenchContext): Promise<void> {
  const { print } = context
  if (context.brief) return print('left out in brief: npm run bench -- ranking fits the weights on all three sets at once')
  const embedder = await openEmbedder(context)
  if (embedder === undefined) return
  const root = join(context.root, 'ranking')
  const cases: RankingCase[] = []
  try {
    cases.push(...(await locomoCases(root, folder(context, 'locomo', locomo) ?? [], embedder)))
    cases.push(...(await codingCases(context, embedder)))
    cases.push(...(await longMemEvalCases(root, folder(context, 'longmemeval', longMemEval) ?? [], embedder)))
  } finally {
    await embedder.close()
  }
  const { scoresOf, WEIGHTS } = await dist<Rank>('search/rank.js')
  const columns = [...new Set(cases.flatMap(({ product }) => Object.keys(product.columns)))]
  const row = (name: string, all: readonly Measured[]) => [
    name,
    ...columns.map((column) => percent(all.flatMap(({ columns: some }) => some[column] ?? []))),
  ]
  const fit = fitter<Measured, RankingCase>(cases, scoresOf, ofAllSets)
  const apart = Array.from({ length: FOLDS }, (_, fold) => fit.measured(fit.fit((one) => one.fold !== fold)))
  const fitted = fit.fit(() => true)
  const rows = [
    ...BASELINES.map((name) =>
      row(
        name,
        cases.map(({ baselines }) => baselines[name]),
      ),
    ),
    row(
      'Mnemonic',
      cases.map(({ product }) => product),
    ),
    row('its weights alone', fit.measured(WEIGHTS)),
    row(
      'fitted without what is asked',
      cases.map(({ fold }, i) => apart[fold]?.[i] as Measured),
    ),
    row('fitted on all', fit.measured(fitted)),
    ...PARTS.map((part) => row(`without ${part}`, fit.measured(without(WEIGHTS, part)))),
  ]
  print(table(`Three sets with the same weights, % (${sizes(cases)})`, ['', ...columns], rows))
  printFit(print, fitted, WEIGHTS)
}

/** Sets count equally, whatever their size. */
function ofAllSets(some: readonly (readonly [one: RankingCase, measured: Measured])[]): number {
  const sets = [...new Set(some.map(([{ set }]) => set))]
  const goods = sets.map((name) => some.flatMap(([{ set }, { good }]) => (set === name ? [good] : [])))
  const means = goods.map((all) => all.reduce((sum, good) => sum + good, 0) / all.length)
  return means.reduce((sum, mean) => sum + mean, 0) / means.length
}

function sizes(cases: readonly RankingCase[]): string {
  const sets = [...new Set(cases.map(({ set }) => set))]
  return sets.map((set) => `${set} ${cases.filter((one) => one.set === set).length}`).join(', ')
}
