/**
 * Merges the same people's chats over iMessage, SMS and RCS. Ids must agree across Mac, phone backup and later messages, so they never use
 * row numbers.
 */
import type { CountryCode } from 'libphonenumber-js/min'
import { shortHash } from '../../../core/hash.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Has } from './schema.ts'

export interface Conversation {
  readonly sourceId: string
  readonly isGroup: boolean
  readonly name: string | null
  /** Normalized, sorted, without the owner. */
  readonly participants: readonly string[]
  readonly services: readonly string[]
  readonly chats: readonly number[]
}

export interface Chats {
  ofChat(chat: number): Conversation | undefined
  /** For messages without a chat, as in damaged databases. */
  ofRoom(room: string): Conversation | undefined
  withPerson(handle: string | undefined): Conversation
}

export interface Handle {
  readonly raw: string
  readonly normal: string
}

/** By row id; small, because it grows with people, not messages. */
export function readHandles(db: SourceDatabase, has: Has, home: CountryCode | undefined): ReadonlyMap<number, Handle> {
  const country = has('handle', 'country') ? 'country' : 'null'
  const rows = db.rows<{ rowid: number; id: string | null; country: string | null }>(
    `select ROWID as rowid, cast(id as text) as id, cast(${country} as text) as country from handle where id is not null`,
  )
  const handles = new Map<number, Handle>()
  for (const { rowid, id, country: of } of rows) {
    const place = typeof of === 'string' && /^[a-z]{2}$/i.test(of) ? (of.toUpperCase() as CountryCode) : home
    if (typeof id === 'string' && id.trim() !== '') handles.set(rowid, { raw: id, normal: normalHandle(id, place) })
  }
  return handles
}

const GROUP = 43

interface ChatRow {
  readonly rowid: number
  readonly guid: string | null
  readonly style: number | null
  readonly identifier: string | null
  readonly service: string | null
  readonly room: string | null
  readonly name: string | null
  readonly group_id: string | null
}

interface Drawn extends ChatRow {
  readonly isGroup: boolean
  readonly participants: readonly string[]
}

export function readChats(db: SourceDatabase, has: Has, handles: ReadonlyMap<number, Handle>): Chats {
  const rows = drawn(db, has, handles)
  const named = new Map<string, Drawn[]>()
  const name = namer(rows)
  for (const row of rows) {
    const sourceId = name(row)
    named.set(sourceId, [...(named.get(sourceId) ?? []), row])
  }
  const byChat = new Map<number, Conversation>()
  const byRoom = new Map<string, Conversation>()
  for (const [sourceId, chats] of named) {
    const conversation = conversationOf(sourceId, chats)
    for (const { rowid, room, identifier } of chats) {
      byChat.set(rowid, conversation)
      for (const key of [room, identifier]) if (key !== null && conversation.isGroup) byRoom.set(key, conversation)
    }
  }
  const people = new Map<string, Conversation>()
  return {
    ofChat: (chat) => byChat.get(chat),
    ofRoom: (room) =>
      room
        .split(',')
        .map((one) => byRoom.get(one))
        .find((one) => one !== undefined),
    withPerson(handle = '') {
      const known = people.get(handle)
      if (known !== undefined) return known
      const participants = handle === '' ? [] : [handle]
      const sourceId = among(participants)
      const at = named.get(sourceId)
      const found =
        at === undefined ? { sourceId, isGroup: false, name: null, participants, services: [], chats: [] } : conversationOf(sourceId, at)
      people.set(handle, found)
      return found
    },
  }
}

function drawn(db: SourceDatabase, has: Has, handles: ReadonlyMap<number, Handle>): Drawn[] {
  const joined = new Map<number, string[]>()
  if (has('chat_handle_join', 'handle_id')) {
    for (const { chat, handle } of db.rows<{ chat: number; handle: number }>(
      'select chat_id as chat, handle_id as handle from chat_handle_join',
    )) {
      const normal = handles.get(handle)?.normal
      if (normal !== undefined) joined.set(chat, [...(joined.get(chat) ?? []), normal])
    }
  }
  const column = (name: string, as: string) =>
    has('chat', name) ? `cast(${name} as ${name === 'style' ? 'integer' : 'text'}) as ${as}` : `null as ${as}`
  const rows = db.rows<ChatRow>(
    `select ROWID as rowid, ${column('guid', 'guid')}, ${column('style', 'style')}, ${column('chat_identifier', 'identifier')},
     ${column('service_name', 'service')}, ${column('room_name', 'room')}, ${column('display_name', 'name')}, ${column('group_id', 'group_id')}
     from chat order by ROWID`,
  )
  return [...rows].map((row) => {
    const people = joined.get(row.rowid) ?? []
    const isGroup = row.style === GROUP || people.length > 1
    // A one-to-one chat is named after its person.
    const named = !isGroup && people.length === 0 && row.identifier !== null ? [normalHandle(row.identifier)] : people
    return { ...row, isGroup, participants: [...new Set(named)].sort() }
  })
}

/**
 * One-to-one: the person. iMessage group: its shared id. SMS or RCS group: its members, merged into an iMessage group with the same
 * members.
 */
function namer(rows: readonly Drawn[]): (row: Drawn) => string {
  const groups = new Map<string, Set<string>>()
  const shared = new Set<string>()
  for (const row of rows) {
    if (!row.isGroup || !isApple(row) || !row.group_id) continue
    shared.add(row.group_id)
    const key = row.participants.join('\n')
    if (key !== '') groups.set(key, (groups.get(key) ?? new Set()).add(row.group_id))
  }
  return (row) => {
    if (!row.isGroup) return among(row.participants)
    if (row.group_id && shared.has(row.group_id)) return `group-${row.group_id.toLowerCase()}`
    const same = groups.get(row.participants.join('\n'))
    if (same?.size === 1) return `group-${[...same].join('').toLowerCase()}`
    if (row.participants.length > 0) return among(row.participants)
    return `room-${shortHash(16, 'imessage room\n', row.room ?? row.identifier ?? row.guid ?? '')}`
  }
}

function isApple({ service, guid }: ChatRow): boolean {
  return /^(?:imessage|any)(?:lite)?$/i.test(service ?? guid?.split(';')[0] ?? '')
}

/** Hashed: ids are printed and logged, and must not reveal people. */
function among(participants: readonly string[]): string {
  return `with-${shortHash(16, 'imessage people\n', participants.join('\n'))}`
}

function conversationOf(sourceId: string, chats: readonly Drawn[]): Conversation {
  return {
    sourceId,
    isGroup: chats.some(({ isGroup }) => isGroup),
    name: chats.findLast(({ name }) => name !== null && name.trim() !== '')?.name ?? null,
    participants: [...new Set(chats.flatMap(({ participants }) => participants))].sort(),
    services: [...new Set(chats.flatMap(({ service }) => service ?? []))].sort(),
    chats: chats.map(({ rowid }) => rowid),
  }
}
