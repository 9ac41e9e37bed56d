/** Verdicts for people: what `health` and `doctor` found, and what to do about it. */
import { stripControls } from '../../core/text.ts'
import type { DoctorReport, HealthReport } from '../../library/index.ts'
import type { Style } from './style.ts'

export function formatHealth(report: HealthReport, style: Style): string {
  const paint = { OK: style.green, DEGRADED: style.yellow, ERROR: style.red }
  // No hook can be installed yet: that none failed is no news.
  const shown = report.checks.filter(({ name, status }) => name !== 'hooks' || status !== 'OK')
  const lines = shown.map(({ name, status, message, hint }) => {
    const todo = hint === undefined ? '' : `\n          ${style.dim(`try: ${stripControls(hint)}`)}`
    return `${paint[status](status.padEnd(8))}  ${name}: ${stripControls(message)}${todo}`
  })
  return [paint[report.status](report.status), ...lines].join('\n')
}

export function formatDoctor(report: DoctorReport, style: Style): string {
  const absent = report.checks.filter((check) => check.absent).map(({ name }) => name.replace(/^source /, ''))
  const here = report.checks.filter((check) => !check.absent)
  const all =
    absent.length === 0 ? here : [...here, { name: 'other sources', ok: true, found: `not on this machine: ${absent.join(', ')}` }]
  const longest = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, ok, found, hint }: DoctorReport['checks'][number]) => {
    const todo = hint === undefined ? '' : `\n     ${style.dim(`try: ${stripControls(hint).replaceAll('\n', ' ')}`)}`
    return `${ok ? style.green('ok ') : style.red('bad')}  ${name.padEnd(longest)}  ${stripControls(found)}${todo}`
  })
  return lines.join('\n')
}
