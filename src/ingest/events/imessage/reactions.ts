/** Tapbacks and stickers are rows that point to another message. Only each person's last state counts. */
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Handle } from './chats.ts'
import { type Has, milliseconds, timeOf } from './schema.ts'

export interface Reaction {
  /** Normalized handle; `me` for the owner. */
  readonly who: string
  /** An emoji, `sticker` or `vote`. */
  readonly what: string
  readonly at: number | null
  readonly part?: number
}

const TAPBACKS: Readonly<Record<number, string>> = {
  0: '❤️',
  1: '👍',
  2: '👎',
  3: '😂',
  4: '‼️',
  5: '❓',
  6: 'emoji', // the emoji is in its own column
  7: 'sticker',
}
const STICKER = 1000
const VOTE = 4000

export function isReaction(type: number | null): boolean {
  return type === STICKER || type === VOTE || isTapback(type, 2000) || isTapback(type, 3000)
}

function isTapback(type: number | null, first: number): boolean {
  return type !== null && type >= first && type < first + 1000
}

/** `p:0/GUID`, `bp:GUID`, or a bare guid. */
export function targetOf(associated: string): { readonly guid: string; readonly part: number } {
  const [, part = '0', guid = ''] = /^(?:p:(\d{1,4})\/|bp:)?(.*)$/s.exec(associated) ?? []
  return { guid, part: Number(part) }
}

interface ReactionRow {
  readonly associated: string
  readonly type: number
  readonly emoji: string | null
  readonly handle_id: number | null
  readonly is_from_me: number | null
  readonly date: number | null
}

export interface Target {
  readonly guid: string
  readonly parts: number
}

export interface Reactions {
  readonly reactions: readonly Reaction[]
  readonly changedAt: number
}

export type ReactionsOf = (targets: readonly Target[]) => ReadonlyMap<string, Reactions>

const MOST_PARTS = 64

/** Limited to row `top`, so that one read is consistent. */
export function reactionReader(
  db: SourceDatabase,
  has: Has,
  { handles, top }: { handles: ReadonlyMap<number, Handle>; top: number },
): ReactionsOf {
  if (!has('message', 'associated_message_guid') || !has('message', 'associated_message_type')) return () => new Map()
  const emoji = has('message', 'associated_message_emoji') ? 'associated_message_emoji' : 'null'
  // "is not null" enables the partial index of newer systems.
  const sql = `select cast(associated_message_guid as text) as associated, associated_message_type as type, ${emoji} as emoji, handle_id, is_from_me,
    ${milliseconds('date')} as date from message
    where associated_message_guid is not null and associated_message_type >= ${STICKER} and ROWID <= ${top}`
  if (!isIndexed(db)) {
    // Only a hand-made copy lacks this index.
    const all = grouped(db.rows<ReactionRow>(`${sql} order by ROWID`), handles)
    return () => all
  }
  const some = `${sql} and associated_message_guid in (select value from json_each(?)) order by ROWID`
  return (targets) => {
    const names = targets.flatMap(({ guid, parts }) => [
      guid,
      `bp:${guid}`,
      ...Array.from({ length: Math.min(parts, MOST_PARTS) }, (_, n) => `p:${n}/${guid}`),
    ])
    return names.length === 0 ? new Map() : grouped(db.rows<ReactionRow>(some, JSON.stringify(names)), handles)
  }
}

function isIndexed(db: SourceDatabase): boolean {
  const row = db.first<{ n: number }>(
    "select count(*) as n from sqlite_schema where type = 'index' and tbl_name = 'message' and sql like '%(associated_message_guid%'",
  )
  return (row?.n ?? 0) > 0
}

function grouped(rows: Iterable<ReactionRow>, handles: ReadonlyMap<number, Handle>): Map<string, Reactions> {
  const states = new Map<string, { readonly of: Map<string, Reaction | undefined>; changedAt: number }>()
  for (const row of rows) {
    if (!isReaction(row.type)) continue
    const { guid, part } = targetOf(row.associated)
    const who = row.is_from_me === 1 ? 'me' : (handles.get(row.handle_id ?? 0)?.normal ?? 'somebody')
    const state = states.get(guid) ?? { of: new Map<string, Reaction | undefined>(), changedAt: 0 }
    states.set(guid, state)
    state.changedAt = Math.max(state.changedAt, timeOf(row.date) ?? 0)
    // One tapback and one vote per person and part, the last one wins; stickers accumulate.
    const kind = row.type === STICKER ? `sticker ${state.of.size}` : row.type === VOTE ? 'vote' : 'tapback'
    const key = `${part} ${kind} ${who}`
    state.of.delete(key)
    state.of.set(key, isTapback(row.type, 3000) ? undefined : reactionOf(row, who, part))
  }
  const left = ({ of }: { of: Map<string, Reaction | undefined> }) => [...of.values()].filter((reaction) => reaction !== undefined)
  return new Map([...states].map(([guid, state]) => [guid, { reactions: left(state), changedAt: state.changedAt }]))
}

function reactionOf({ type, emoji, date }: ReactionRow, who: string, part: number): Reaction {
  const what = type === STICKER ? 'sticker' : type === VOTE ? 'vote' : (emoji ?? TAPBACKS[type - 2000] ?? String(type))
  return { who, what, at: timeOf(date) ?? null, ...(part > 0 ? { part } : {}) }
}
