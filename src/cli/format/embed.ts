/** What a run of embedding did, and how much of the index has vectors; for people. */
import { plural, stripControls } from '../../core/text.ts'
import type { EmbedReport, EmbedStatus } from '../../library/index.ts'
import { pairs, table } from './layout.ts'
import { duration } from './quantity.ts'
import { when } from './time.ts'

const number = (value: number) => value.toLocaleString('en-US')

export function formatEmbedReport({ embedded, reused, failed, waiting, model, duration_ms }: EmbedReport): string {
  const counts = `${plural(embedded, 'chunk')} embedded, ${number(reused)} had a vector already, ${number(failed)} failed, ${number(waiting)} waiting`
  return `${counts}; ${stripControls(model)}, ${duration(duration_ms)}`
}

export function formatEmbedStatus(status: EmbedStatus, now: number): string {
  const { chunks, embedded, waiting, failed, spent_today: spent } = status
  const share = chunks === 0 ? '' : ` (${Math.floor((100 * embedded) / chunks)} %)`
  const again = status.retry_at === null ? '' : `; tried again after ${status.retry_at}`
  const summary = pairs([
    ['model', stripControls(`${status.model}${status.dimensions === null ? '' : `, ${number(status.dimensions)} dimensions`}`)],
    ['provider', stripControls(status.provider)],
    ['engine', stripControls(status.engine ?? 'cannot be loaded')],
    ['chunks', `${number(embedded)} of ${number(chunks)} have a vector${share}`],
    ['waiting', number(waiting)],
    ['failed', `${number(failed)}${again}`],
    ...(status.provider === 'minilm' ? [] : [['spent today', spentToday(spent)] as const]),
  ])
  if (status.configs.length === 0) return summary
  const rows = status.configs.map(({ model, dimensions, vectors, state, created_at }) => [
    stripControls(model),
    number(dimensions),
    number(vectors),
    state,
    when(created_at, now),
  ])
  const columns = [
    { title: 'model' },
    { title: 'dimensions', right: true },
    { title: 'vectors', right: true },
    { title: 'state' },
    { title: 'since' },
  ]
  return `${summary}\n\n${table(columns, rows)}`
}

function spentToday({ tokens, usd, daily_tokens, daily_usd }: EmbedStatus['spent_today']): string {
  return `${number(tokens)} of ${number(daily_tokens)} tokens, $${usd.toFixed(4)} of $${daily_usd}`
}
