import { ago, clockInZone } from '../../core/time.ts'
import type { SessionSummary } from '../../library/index.ts'

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = count
  let unit = 'B'
  for (const next of units) {
    if (value < 1000) break
    value /= 1000
    unit = next
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

export function since(iso: string, now: number): string {
  return ago(Date.parse(iso), now)
}

let zone: string | undefined

export function showTimesIn(timezone: string | undefined): void {
  zone = timezone
}

export function localTime(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : clockInZone(time, zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}

export function when(iso: string, now: number): string {
  return `${localTime(iso)} (${since(iso, now)})`
}

export function short(count: number): string {
  for (const [unit, size] of [
    ['B', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (count >= size * 0.9995) return `${count >= size * 99.95 ? Math.round(count / size) : Number((count / size).toFixed(1))}${unit}`
  }
  return String(count)
}

export function tokens({ token_count, usage }: Pick<SessionSummary, 'token_count' | 'usage'>): string {
  const counted = `${short(token_count)} tokens`
  if (usage === null) return counted
  const parts = [
    [usage.input_tokens, 'in'],
    [usage.output_tokens, 'out'],
    [usage.reasoning_tokens, 'reasoning'],
    [usage.cache_read_tokens, 'from cache'],
    [usage.cache_write_tokens, 'to cache'],
  ] as const
  const recorded = parts.flatMap(([count, what]) => (count === null || count === 0 ? [] : [`${short(count)} ${what}`]))
  return recorded.length === 0 ? counted : `${counted} (recorded: ${recorded.join(', ')})`
}
