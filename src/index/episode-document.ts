/** A mail is one message, a meeting a short text. Only the events' own words, redacted. Pure. */
import { sha256 } from '../core/hash.ts'
import { oneLine } from '../core/text.ts'
import { clockInZone, zoneName } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import { type Owner, safeTitleLine } from './chunk-row.ts'
import { cleanText, type DocumentMessage, INDEXED_DOCUMENT, type IndexDocument } from './document.ts'
import type { EpisodeParts, EventRow, PersonRow } from './episode-rows.ts'
import { meetingText, saidIn, subjectOf } from './event-text.ts'

const LONGEST_NAME = 120
const MOST_NAMED = 30
const NAMED_IN_TITLE = 3

export function episodePath({ channel, id }: { readonly channel: string; readonly id: string }): string {
  return `events/${channel}/${id}.md`
}

export function episodeIdOfPath(path: string): string | undefined {
  return /^events\/[^/]+\/([^/]+)\.md$/s.exec(path)?.[1]
}

export function episodeTitle({ episode, events }: Pick<EpisodeParts, 'episode' | 'events'>): string | null {
  const [event] = events
  const own = episode.channel === 'calendar' && event ? titleOfMeeting(event) : undefined
  const title = own ?? episode.thread_name
  return title === null || title === undefined ? null : oneLine(cleanText(title), LONGEST_NAME) || null
}

function titleOfMeeting(event: EventRow): string | undefined {
  return meetingText(event, { room: INDEXED_DOCUMENT, who: [], timezone: 'UTC' }).text.split('\n', 1)[0]
}

export function episodeDocument(parts: EpisodeParts, owner: Owner): IndexDocument {
  const { episode, events } = parts
  const { messages, shortened } = messagesOf(parts, owner)
  const participants = participantsOf(parts, owner)
  const shown = participants.slice(0, MOST_NAMED)
  const title = episodeTitle(parts)
  const more = participants.length - shown.length
  const header = [
    `Channel: ${episode.channel}`,
    ...(title === null ? [] : [`Thread: ${title}`]),
    ...(shown.length === 0 ? [] : [`People: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    `Time: ${span(episode, owner.timezone)}`,
  ]
  const body = messages.map(({ label, speaker, text, after = '' }) => `${label ?? speaker}: ${text}${after}`)
  const text = `${header.join('\n')}\n\n${body.join('\n\n')}\n`
  return {
    path: episodePath(episode),
    source: 'events',
    ledger: 'events',
    kind: 'episode',
    agentId: episode.agent_id,
    sessionId: undefined,
    turnId: undefined,
    timestamp: events[0]?.timestamp ?? episode.start_time,
    superseded: false,
    model: undefined,
    text,
    // Trust may change without the text: a sender became a contact.
    hash: sha256(`${text}\0${messages.map(({ trust }) => trust).join(' ')}`),
    messages,
    sections: [{ title: safeTitleLine(title), messages }],
    participants: shown,
    shortened,
  }
}

function messagesOf(parts: EpisodeParts, owner: Owner): Pick<IndexDocument, 'messages' | 'shortened'> {
  const { episode, events, names } = parts
  const of = new Map<string, PersonRow[]>()
  for (const person of parts.people) of.set(person.event_id, [...(of.get(person.event_id) ?? []), person])
  const mine = ownHandles(owner)
  const nameOf = (handle: string) =>
    handle === 'me' || mine.has(handle) ? called(owner.name ?? 'User') : called(names.get(handle) ?? handle)
  const messages: DocumentMessage[] = []
  const shortened: string[] = []
  let room = INDEXED_DOCUMENT
  let subject: string | undefined
  for (const event of events) {
    const people = of.get(event.id) ?? []
    const isMeeting = episode.channel === 'calendar'
    const words = isMeeting
      ? meetingText(event, { room, who: [...new Set(people.map((person) => nameOfPerson(person, nameOf)))], timezone: owner.timezone })
      : saidIn(event, room, nameOf)
    if (words.shortened) shortened.push(event.id)
    // The subject is repeated only if it changes.
    const named = isMeeting ? undefined : subjectOf(event)
    const isNew = named !== undefined && plainSubject(named) !== subject
    if (isNew) subject = plainSubject(named)
    const text = isNew ? `Subject: ${named}${words.text === '' ? '' : `\n${words.text}`}` : words.text
    room = Math.max(0, room - text.length)
    if (text === '') continue
    const speaker = isMeeting ? 'Meeting' : speakerOf(event, people, { owner, nameOf })
    const isMine = event.direction === 'sent'
    messages.push({
      nativeId: event.id,
      role: 'user',
      speaker,
      named: !isMeeting && speaker !== 'User',
      text,
      timestamp: event.timestamp,
      trust: event.trust as Trust,
      label: isMeeting ? speaker : `${speaker} (${clockInZone(event.timestamp, owner.timezone)})`,
      ...(words.after === '' ? {} : { after: words.after }),
      speakers: isMeeting ? [] : isMine ? [...new Set(['user', speaker === 'User' ? 'user' : speaker])] : [speaker],
    })
  }
  return { messages, shortened }
}

interface Naming {
  readonly owner: Owner
  readonly nameOf: (handle: string) => string
}

function speakerOf(event: EventRow, people: readonly PersonRow[], { owner, nameOf }: Naming): string {
  if (event.direction === 'sent') return owner.name === undefined ? 'User' : called(owner.name)
  const from = people.find(({ role }) => role === 'from')
  if (from !== undefined) return nameOfPerson(from, nameOf)
  return event.speaker === null || event.speaker.trim() === '' ? 'Unknown' : called(event.speaker)
}

function nameOfPerson({ handle, name }: PersonRow, nameOf: (handle: string) => string): string {
  const known = nameOf(handle)
  return known === called(handle) && name !== null && name.trim() !== '' ? called(name) : known
}

/** A direct chat has only the other's name. */
export function titleByPeople({ participants = [] }: Pick<IndexDocument, 'participants'>, owner: Owner): string | null {
  const others = participants.filter((name) => name !== called(owner.name ?? 'User'))
  const more = others.length - NAMED_IN_TITLE
  return others.length === 0 ? null : others.slice(0, NAMED_IN_TITLE).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function participantsOf({ events, people, names }: EpisodeParts, owner: Owner): string[] {
  const nameOf = (handle: string) => called(names.get(handle) ?? handle)
  const own = new Set(events.filter(({ direction }) => direction === 'sent').map(({ id }) => id))
  const mine = new Set(people.filter(({ event_id, role }) => role === 'from' && own.has(event_id)).map(({ handle }) => handle))
  const isMine = (handle: string) => mine.has(handle) || ownHandles(owner).has(handle)
  const named = people.filter(({ handle }) => !isMine(handle)).map((person) => nameOfPerson(person, nameOf))
  const self = own.size === 0 && !people.some(({ handle }) => isMine(handle)) ? [] : [called(owner.name ?? 'User')]
  return [...new Set([...self, ...named])]
}

/** Without the separator that ends a name. */
function called(name: string): string {
  return oneLine(cleanText(name), LONGEST_NAME).replace(/:\s/g, ' ') || 'Unknown'
}

function plainSubject(subject: string): string {
  return subject
    .replace(/^(?:\s*(?:re|aw|fwd?|wg|sv|antw)\s*(?:\[\d+\])?:)+/i, '')
    .trim()
    .toLowerCase()
}

function span({ start_time, end_time }: EpisodeParts['episode'], timezone: string): string {
  const from = clockInZone(start_time, timezone)
  const to = clockInZone(end_time, timezone)
  const end = to === from ? '' : ` – ${to.startsWith(from.slice(0, 10)) ? to.slice(11) : to}`
  return `${from}${end} ${zoneName(timezone)}`
}
