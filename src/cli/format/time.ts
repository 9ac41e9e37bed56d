/** Times for people: the local date, and how long ago that was. */
import { ago } from '../../core/time.ts'

/** "5 weeks ago", "just now". */
export function since(iso: string, now: number): string {
  return ago(Date.parse(iso), now)
}

/** "2026-10-06 16:20" in the zone of this machine. */
export function localTime(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** "2026-10-06 16:20 (5 weeks ago)". */
export function when(iso: string, now: number): string {
  return `${localTime(iso)} (${since(iso, now)})`
}
