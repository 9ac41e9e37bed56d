import { cutMarked } from '../core/marked-text.ts'
import { oneLine } from '../core/text.ts'
import { clockInZone, zoneName } from '../core/time.ts'
import { beginning, cleanText, INDEXED_MESSAGE } from './document.ts'
import type { EventRow } from './episode-rows.ts'

type Metadata = Readonly<Record<string, unknown>>

export interface EventWords {
  readonly text: string
  readonly shortened: boolean
  /** Reactions: shown, not searchable. */
  readonly after: string
}

const LONGEST_NAME = 200
const MOST_ATTACHMENTS = 20

export function metadataOf({ metadata_json }: Pick<EventRow, 'metadata_json'>): Metadata {
  if (metadata_json === null) return {}
  try {
    const value: unknown = JSON.parse(metadata_json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {}
  } catch {
    return {} // written by another program
  }
}

export function saidIn(event: EventRow, room: number, nameOf: (handle: string) => string): EventWords {
  const metadata = metadataOf(event)
  const raw = ownWords(event.content ?? '', metadata.own_words)
  const limit = Math.min(INDEXED_MESSAGE, room)
  const said = raw.length > limit ? beginning(raw, limit) : cleanText(raw)
  const text = [said, ...attachmentLines(metadata)].filter((part) => part !== '').join('\n')
  return { text, shortened: raw.length > limit || event.leftOut === true, after: text === '' ? '' : reactions(metadata, nameOf) }
}

export function meetingText(event: EventRow, { room, who, timezone }: MeetingOptions): EventWords {
  const metadata = metadataOf(event)
  const title = first(metadata, ['title']) ?? ''
  const { text: about, shortened } = saidIn(event, room, (handle) => handle)
  const where = first(metadata, ['location'])
  const status = first(metadata, ['status'])
  const lines = [
    about.startsWith(title) ? '' : title,
    about.startsWith(title) ? (about.split('\n', 1)[0] ?? '') : '',
    `When: ${whenOf(event, metadata, timezone)}`,
    where === undefined || about.includes(`Where: ${where}`) ? '' : `Where: ${where}`,
    who.length === 0 ? '' : `Who: ${who.join(', ')}`,
    status?.toLowerCase() === 'cancelled' ? 'Status: cancelled' : '',
    about.startsWith(title) ? about.slice((about.split('\n', 1)[0] ?? '').length).trim() : about,
  ]
  return { text: lines.filter((line) => line !== '').join('\n'), shortened, after: '' }
}

export interface MeetingOptions {
  readonly room: number
  readonly who: readonly string[]
  readonly timezone: string
}

/** Without reply prefixes. */
export function subjectOf(event: Pick<EventRow, 'metadata_json'>): string | undefined {
  return first(metadataOf(event), ['subject'])
}

function ownWords(content: string, ranges: unknown): string {
  if (!Array.isArray(ranges)) return cutMarked(content)
  const parts = ranges.flatMap((range) => {
    const [from, to] = Array.isArray(range) ? (range as unknown[]) : []
    return Number.isInteger(from) && Number.isInteger(to) ? content.slice(from as number, to as number).trim() : []
  })
  return cutMarked(parts.filter((part) => part !== '').join('\n\n'))
}

function attachmentLines({ attachments }: Metadata): string[] {
  if (!Array.isArray(attachments)) return []
  const names = attachments.flatMap((one: unknown) => {
    const { name, type } = (typeof one === 'object' && one !== null ? one : {}) as Metadata
    const called = [name, type].find((value) => typeof value === 'string' && value !== '')
    return called === undefined ? [] : clean(called as string)
  })
  const shown = names.slice(0, MOST_ATTACHMENTS).map((name) => `[attached: ${name}]`)
  return names.length > MOST_ATTACHMENTS ? [...shown, `[attached: ${names.length - MOST_ATTACHMENTS} more]`] : shown
}

/** `[👍 Sarah Chen]`: shown, not searchable. */
function reactions({ reactions: all }: Metadata, nameOf: (handle: string) => string): string {
  if (!Array.isArray(all)) return ''
  const shown = all.flatMap((one: unknown) => {
    const reaction = (typeof one === 'object' && one !== null ? one : {}) as Metadata
    const what = first(reaction, ['what'])
    const who = first(reaction, ['who'])
    return what === undefined || who === undefined ? [] : `\n[${what} ${nameOf(who)}]`
  })
  return shown.join('')
}

function whenOf({ timestamp }: EventRow, metadata: Metadata, timezone: string): string {
  const allDay = metadata.all_day === true
  const end = typeof metadata.end === 'number' ? metadata.end : undefined
  const from = clockInZone(timestamp, timezone)
  if (allDay) return `${first(metadata, ['start_date']) ?? from.slice(0, 10)}, all day`
  if (end === undefined || end <= timestamp) return `${from} ${zoneName(timezone)}`
  const to = clockInZone(end, timezone)
  return `${from} – ${to.startsWith(from.slice(0, 10)) ? to.slice(11) : to} ${zoneName(timezone)}`
}

function first(metadata: Metadata, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => metadata[key]).find((value) => typeof value === 'string' && value.trim() !== '')
  return found === undefined ? undefined : clean(found as string)
}

function clean(text: string): string {
  return oneLine(cleanText(cutMarked(text)), LONGEST_NAME)
}
