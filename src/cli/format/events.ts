import type { EventList, ShownEvent } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'
import type { Style } from './style.ts'

const INDENT = '  '
const LONGEST = 400

export function formatEvents({ events }: EventList, width: number, style: Style): string {
  return events.map((event) => formatEvent(event, width, style)).join('\n')
}

function formatEvent(event: ShownEvent, width: number, { dim, bold }: Style): string {
  const when = localTime(event.timestamp)
  const what = wordOf(event.type) ?? event.channel
  const left = width - when.length - what.length - 4
  const where = [whoOf(event), event.id ?? event.channel, event.title ?? ''].filter((part) => part !== '')
  const head = `${dim(when)}  ${bold(what)}  ${dim(shorten(printable(where.join(' · ')), Math.max(left, 12)))}`
  const lines = [head, wrap(shorten(printable(event.words), LONGEST), width, INDENT)]
  if (event.done_by !== null) {
    const by = `done on ${localTime(event.done_by.timestamp).slice(0, 10)}: ${printable(event.done_by.words)}`
    lines.push(dim(wrap(shorten(by, LONGEST), width, INDENT)))
  }
  return lines.join('\n')
}

export function wordOf(type: string | null): string | null {
  return type === 'preference_stated' ? 'preference' : (type?.replaceAll('_', ' ') ?? null)
}

export function whoOf({ speaker, trust, channel, session_id }: Pick<ShownEvent, 'speaker' | 'trust' | 'channel' | 'session_id'>): string {
  if (trust === 'owner') return 'you'
  if (speaker !== null) return speaker
  return session_id === null ? '' : trust === 'agent' ? channel : ''
}
