import { plural, stripControls } from '../../core/text.ts'
import type { EmbedReport, EmbedStatus, IndexReport, IndexStatusRow, ValidatedFile } from '../../library/index.ts'
import { pairs, table } from './layout.ts'
import { duration, localTime, when } from './quantity.ts'
import type { Style } from './style.ts'

export function formatIndexReport(report: IndexReport): string {
  const { sessions, documents, chunks, unchanged, removed, calls } = report
  return [
    `${plural(sessions, 'session')}: ${plural(documents, 'document')}, ${plural(chunks, 'chunk')} and ${plural(calls, 'tool call')} written,`,
    `${unchanged.toLocaleString('en-US')} unchanged, ${removed.toLocaleString('en-US')} removed, in ${duration(report.duration_ms)}`,
  ].join(' ')
}

export function formatIndexStatus(rows: readonly IndexStatusRow[]): string {
  if (rows.length === 0) return ''
  return table(
    [{ title: 'last indexed' }, { title: 'chunks', right: true }, { title: 'status' }, { title: 'session' }],
    rows.map((row) => [localTime(row.last_indexed), String(row.chunk_count), row.status, stripControls(row.session_id)]),
  )
}

export function formatValidation(files: readonly ValidatedFile[], style: Style): string {
  return files
    .map(({ path, result }) => {
      const verdict = result.valid ? style.green('valid  ') : style.red('invalid')
      const notes = [...result.errors.map((error) => `error: ${error}`), ...result.warnings.map((warning) => `warning: ${warning}`)]
      return [`${verdict}  ${stripControls(path)}`, ...notes.map((note) => `         ${stripControls(note)}`)].join('\n')
    })
    .join('\n')
}

const number = (value: number) => value.toLocaleString('en-US')

export function formatEmbedReport({ embedded, reused, failed, waiting, token_bits: bits, model, duration_ms }: EmbedReport): string {
  const counts = `${plural(embedded, 'chunk')} embedded, ${number(reused)} had a vector already, ${number(failed)} failed, ${number(waiting)} waiting`
  const more = bits === 0 ? '' : `; ${plural(bits, 'text')} got the bits of ${bits === 1 ? 'its' : 'their'} tokens`
  return `${counts}${more}; ${stripControls(model)}, ${duration(duration_ms)}`
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
    ['bits of tokens', bitsOfTokens(status)],
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

function bitsOfTokens({ token_bits: done, token_bits_waiting: waiting }: EmbedStatus): string {
  return `${plural(done, 'text')}${waiting === 0 ? '' : `; ${number(waiting)} waiting`}`
}

function spentToday({ tokens, usd, daily_tokens, daily_usd }: EmbedStatus['spent_today']): string {
  return `${number(tokens)} of ${number(daily_tokens)} tokens, $${usd.toFixed(4)} of $${daily_usd}`
}
