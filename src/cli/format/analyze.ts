import { grouped, plural } from '../../core/text.ts'
import type { AnalysisTypeInfo, AnalyzeReport, WaitingType } from '../../library/index.ts'
import { table } from './layout.ts'
import { printable } from './printable.ts'

export function formatEstimate(waiting: readonly WaitingType[]): string {
  const runs = waiting.reduce((sum, { episodes }) => sum + episodes, 0)
  const types = waiting.filter(({ episodes }) => episodes > 0).length
  return `${plural(runs, 'run')} of ${plural(types, 'analysis', 'analyses')} to do, ${costOf(waiting)}`
}

function costOf(waiting: readonly WaitingType[]): string {
  const calls = waiting.reduce((sum, { estimate }) => sum + estimate.calls, 0)
  if (calls === 0) return 'by rules: it costs nothing'
  const tokens = waiting.reduce((sum, { estimate }) => sum + estimate.tokens, 0)
  const known = waiting.every(({ estimate }) => estimate.usd !== null)
  const usd = waiting.reduce((sum, { estimate }) => sum + (estimate.usd ?? 0), 0)
  return `about ${plural(calls, 'call')} of a model, ${grouped(tokens)} tokens${known ? `, $${usd.toFixed(2)}` : '; nobody knows its price'}`
}

export function formatAnalyzed({ dry_run, waiting, types, totals, left, stopped }: AnalyzeReport, width: number): string {
  const name = Math.max(12, Math.min(40, width - 40))
  if (dry_run) {
    const rows = waiting.map(({ type, implementation, episodes }) => [printable(type), printable(implementation), grouped(episodes)])
    return `${table(
      [
        { title: 'analysis', max: name },
        { title: 'by', max: 24 },
        { title: 'waiting', right: true },
      ],
      rows,
    )}\n\n${formatEstimate(waiting)}`
  }
  if (totals.completed + totals.failed === 0)
    return stopped === null
      ? 'nothing waits: every episode that is over has been analysed'
      : `nothing was done: ${plural(left, 'run')} wait`
  const rows = types.map((type) => [printable(type.type), grouped(type.completed), grouped(type.failed), grouped(type.facets)])
  const done = table(
    [
      { title: 'analysis', max: name },
      { title: 'done', right: true },
      { title: 'failed', right: true },
      { title: 'facets', right: true },
    ],
    rows,
  )
  const notes = [
    ...(totals.fallbacks > 0 ? [`rules stood in for the model ${plural(totals.fallbacks, 'time')}`] : []),
    ...(left > 0 ? [`${plural(left, 'run')} left: mnemonic analyze`] : []),
  ]
  return [done, ...notes].join('\n')
}

export function formatTypes(types: readonly AnalysisTypeInfo[], width: number): string {
  return table(
    [
      { title: 'analysis', max: 22 },
      { title: 'by', max: 18 },
      { title: 'done', right: true },
      { title: 'failed', right: true },
      { title: 'on', max: Math.max(12, width - 64) },
    ],
    types.map(({ name, implementation, runs, definitions }) => [
      ...[printable(name), printable(implementation ?? 'no model'), grouped(runs.completed), grouped(runs.failed)],
      printable(definitions.join(', ')),
    ]),
  )
}
