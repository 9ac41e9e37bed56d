/** Google calendar API JSON: pages of `events.list`, single events, lists of either. */
import { type Calendar, type Entry, KEPT, type Property } from './entry.ts'
import { parsed } from './read-ics.ts'
import { ianaName, ianaZone } from './zones.ts'

type Fields = Readonly<Record<string, unknown>>

export interface GooglePage {
  readonly calendar: Calendar
  readonly items: readonly Fields[]
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const word = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

export function googlePage(value: unknown, fallback: string): GooglePage | undefined {
  if (!isFields(value)) return undefined
  if (value.kind === 'calendar#events' && Array.isArray(value.items)) {
    const zone = word(value.timeZone)
    const name = word(value.summary)
    const called = name === undefined ? { name: fallback, unnamed: true as const } : { name }
    const calendar = { ...called, ...(zone === undefined ? {} : { zone }) }
    return { calendar, items: value.items.filter(isFields) }
  }
  return value.kind === 'calendar#event' ? { calendar: { name: fallback, unnamed: true }, items: [value] } : undefined
}

/** Cancelled exceptions state only the id of their series. */
export function uidsById(items: readonly Fields[], uids: Map<string, string>): void {
  for (const item of items) {
    const [id, uid] = [word(item.id), word(item.iCalUID)]
    if (id !== undefined && uid !== undefined && item.recurringEventId === undefined && Array.isArray(item.recurrence)) uids.set(id, uid)
  }
}

/** A string is the rejection reason. */
export function googleEntry(item: Fields, calendar: Calendar, uids: ReadonlyMap<string, string>): Entry | string {
  const id = word(item.id)
  const master = word(item.recurringEventId)
  const uid = word(item.iCalUID) ?? (master === undefined ? undefined : (uids.get(master) ?? uidFromId(master))) ?? (id && uidFromId(id))
  if (uid === undefined) return 'an event without an id'
  const properties: Property[] = [['uid', {}, 'text', uid]]
  const put = (name: string, value: unknown, more: Property[1] = {}, type = 'text') => {
    if (value !== undefined) properties.push([name, more, type, value])
  }
  const zone = calendar.zone
  if (master !== undefined) putTime(properties, 'recurrence-id', item.originalStartTime, zone)
  putTime(properties, 'dtstart', item.start, zone)
  if (item.endTimeUnspecified !== true) putTime(properties, 'dtend', item.end, zone)
  put('sequence', typeof item.sequence === 'number' ? item.sequence : undefined, {}, 'integer')
  put('last-modified', word(item.updated), {}, 'date-time')
  put('created', word(item.created), {}, 'date-time')
  put('summary', word(item.summary))
  put('description', word(item.description), { fmttype: 'text/html' })
  put('location', word(item.location))
  put('status', word(item.status)?.toUpperCase())
  put('transp', word(item.transparency)?.toUpperCase())
  put('class', word(item.visibility)?.toUpperCase())
  put('url', word(item.htmlLink))
  put('conference', word(item.hangoutLink) ?? videoLink(item.conferenceData))
  put('x-mnemonic-type', item.eventType === 'default' ? undefined : word(item.eventType))
  putPeople(properties, item)
  for (const line of Array.isArray(item.recurrence) ? item.recurrence : []) {
    const property = typeof line === 'string' ? parsed(line) : 'no text'
    if (typeof property === 'string') return `a rule that cannot be read: ${property}`
    if (KEPT.has(property[0])) properties.push(property)
  }
  return { uid, calendar, zones: new Map(), properties }
}

/** Google's own ids are names; an imported event's id is its uid in base32. */
function uidFromId(id: string): string {
  if (!id.startsWith('_')) return `${id.replace(/_\d{8}(?:T\d{6}Z)?$/, '')}@google.com`
  const decoded = fromBase32(id.slice(1))
  return decoded ?? `${id}@google.com`
}

function fromBase32(text: string): string | undefined {
  if (!/^[0-9a-v]+$/.test(text)) return undefined
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text) {
    held = (held << 5) | Number.parseInt(character, 32)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
    held &= (1 << bits) - 1
  }
  const name = Buffer.from(bytes).toString('latin1')
  return /^[\x21-\x7e]+$/.test(name) ? name : undefined
}

/** In local time, because rules follow it. */
function putTime(properties: Property[], name: string, value: unknown, calendarZone: string | undefined): void {
  if (!isFields(value)) return
  const date = word(value.date)
  if (date !== undefined) {
    properties.push([name, {}, 'date', date])
    return
  }
  const written = word(value.dateTime)
  if (written === undefined) return
  const tzid = word(value.timeZone) ?? calendarZone
  const iana = tzid === undefined ? undefined : ianaName(tzid)
  const utc = /(?:Z|[+-]\d\d:?\d\d)$/i.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(utc)) properties.push([name, tzid === undefined ? {} : { tzid }, 'date-time', written])
  else if (iana === undefined || iana === 'UTC') properties.push([name, {}, 'date-time', new Date(utc).toISOString()])
  else {
    const wall = new Date(utc + ianaZone(iana).offsetAt(utc)).toISOString().slice(0, 19)
    properties.push([name, { tzid: iana }, 'date-time', wall])
  }
}

const ANSWERS: Readonly<Record<string, string>> = {
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
  needsAction: 'NEEDS-ACTION',
}

function putPeople(properties: Property[], item: Fields): void {
  const person = (name: string, value: unknown, more: Record<string, string> = {}) => {
    const email = isFields(value) ? word(value.email) : undefined
    if (!isFields(value) || email === undefined) return
    const cn = word(value.displayName)
    const self: Record<string, string> = value.self === true ? { 'x-self': 'TRUE' } : {}
    properties.push([name, { ...(cn === undefined ? {} : { cn }), ...self, ...more }, 'cal-address', `mailto:${email}`])
  }
  const attendees = Array.isArray(item.attendees) ? item.attendees.filter(isFields) : []
  // Every Google entry has an organizer; without guests it is the calendar itself.
  const organizer = isFields(item.organizer) ? item.organizer : item.creator
  if (attendees.length > 0 || (isFields(organizer) && organizer.self === true)) person('organizer', organizer)
  for (const attendee of attendees) {
    const partstat = ANSWERS[String(attendee.responseStatus)]
    person('attendee', attendee, {
      ...(partstat === undefined ? {} : { partstat }),
      ...(attendee.resource === true ? { cutype: 'RESOURCE' } : {}),
      ...(attendee.optional === true ? { role: 'OPT-PARTICIPANT' } : {}),
    })
  }
}

function videoLink(data: unknown): string | undefined {
  const points = isFields(data) && Array.isArray(data.entryPoints) ? data.entryPoints.filter(isFields) : []
  return word(points.find(({ entryPointType }) => entryPointType === 'video')?.uri)
}
