/** Writes and lists tombstones: keyed hashes of what must never come back. Neither an id nor a text can be read out of one. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { TombstonesTable } from '../store/tables.ts'

/** What a tombstone can stand for. Fields of a session have tombstones of their own: the rest of the session stays. */
export type TombstoneKind =
  | 'session'
  | 'message'
  | 'call-params'
  | 'call-result'
  | 'title'
  /** A string, kept out wherever it is a whole value: a person's name, a folder, a label, a line of text. */
  | 'value'
  /** One column of one session. */
  | 'field'
  | 'path'
  | 'event'
  /** A whole conversation: what comes later in it stays out too. */
  | 'thread'
  | 'document'
  | 'entity'
  /** A published file, by the checksum of its body. */
  | 'artifact'
  /** A text of this session; without a session, a text of any session. */
  | 'text'

export type NewTombstone = Insertable<TombstonesTable>

/** Tombstones with the keys that their hashes were made with. */
export interface TombstoneSet {
  readonly keys: readonly string[]
  readonly rows: readonly NewTombstone[]
}

export const TOMBSTONE_KEY = 'tombstone_key'
/** Keys of other databases whose tombstones are kept here too: a JSON array. */
export const OTHER_KEYS = 'tombstone_other_keys'
/** Changes with every new tombstone: tombstones that were read under another revision must be read again. */
export const TOMBSTONE_REVISION = 'tombstone_revision'
/** Everybody writes shorter texts ("yes", "go on") every day: a tombstone for one would keep out what nobody asked to forget. */
const SHORTEST_OWN_TEXT = 32

async function ownKey(tx: WriteTx): Promise<string> {
  const stored = await readMeta(tx.db, TOMBSTONE_KEY)
  if (stored !== undefined) return stored
  const key = randomBytes(32).toString('hex')
  await writeMeta(tx.db, TOMBSTONE_KEY, key)
  return key
}

export function recordHash(key: string, kind: TombstoneKind, id: string): string {
  return keyed(key, `record\n${kind}\n${id}`)
}

/** The id of a text in one session: its source may give its messages new numbers or names. */
export function textId(session: string, text: string): string {
  return `${session}\n${text.replace(/\s+/g, ' ').trim()}`
}

/** The hash of a text in any session, whatever white space is between its words; undefined where the text is too short. */
export function textHash(key: string, text: string): string | undefined {
  return isOwnWords(text) ? keyed(key, `text\n${text.replace(/\s+/g, ' ').trim()}`) : undefined
}

/** Long enough that nobody else writes the same by chance. */
export function isOwnWords(text: string): boolean {
  return text.replace(/\s+/g, ' ').trim().length >= SHORTEST_OWN_TEXT
}

function keyed(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, 40)
}

export interface Forgotten {
  readonly kind: TombstoneKind
  readonly agentId: string
  /** The record's id; absent where only the text is forgotten. */
  readonly id?: string
  /** The record's text: its hash keeps the text out, whichever source it comes from. */
  readonly text?: string
  readonly sessionToken?: string
  readonly removedPaths?: readonly string[]
}

/** Adds tombstones and moves the revision, so that every process that writes reads them. Existing ones stay as they are. Returns the new ones. */
export async function addTombstones(
  tx: WriteTx,
  forgotten: readonly Forgotten[],
  { removedAt, reason }: { removedAt: number; reason: string },
): Promise<NewTombstone[]> {
  const added: NewTombstone[] = []
  const key = await ownKey(tx)
  for (const { kind, agentId, id, text, sessionToken, removedPaths } of forgotten) {
    const record_hash = id === undefined ? null : recordHash(key, kind, id)
    const text_hash = (text === undefined ? undefined : textHash(key, text)) ?? null
    if (record_hash === null && text_hash === null) continue
    const row = {
      id: keyed(key, `tombstone\n${kind}\n${record_hash}\n${text_hash}`),
      ...{ agent_id: agentId, kind, record_hash, text_hash, session_token: sessionToken ?? null },
      ...{ removed_at: removedAt, reason, removed_paths: JSON.stringify(removedPaths ?? []) },
    }
    if (await putTombstone(tx, row)) added.push(row)
  }
  await moveRevision(tx)
  return added
}

/** Takes over the tombstones of another database or of the workspace's file. Returns how many were new; the caller moves the revision. */
export async function takeOverTombstones(tx: WriteTx, { keys, rows }: TombstoneSet): Promise<number> {
  let added = 0
  for (const key of keys) await adoptKey(tx, key)
  for (const row of rows) if (await putTombstone(tx, row)) added += 1
  return added
}

/** True when it is new. */
async function putTombstone(tx: WriteTx, row: NewTombstone): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('tombstones')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/** The key of another machine or of an older database: this database's own where it has none yet, otherwise kept beside its own. */
async function adoptKey(tx: WriteTx, key: string): Promise<void> {
  const { own, others } = await storedKeys(tx.db)
  if (own === key || others.includes(key)) return
  if (own === undefined) await writeMeta(tx.db, TOMBSTONE_KEY, key)
  else await writeMeta(tx.db, OTHER_KEYS, JSON.stringify([...others, key]))
}

/** `beyond`: the revision of another database, of which a process may have read the tombstones too. */
export async function moveRevision(tx: WriteTx, beyond = 0): Promise<void> {
  const revision = Number((await readMeta(tx.db, TOMBSTONE_REVISION)) ?? 0)
  await writeMeta(tx.db, TOMBSTONE_REVISION, String(Math.max(revision, beyond) + 1))
}

/** The reason of a tombstone for which none was given. */
export const NO_REASON = 'owner'

/** Removes reasons that contain what was forgotten later. */
export async function blankReasons(tx: WriteTx, reasons: readonly string[]): Promise<void> {
  await tx.db.updateTable('tombstones').set({ reason: NO_REASON }).where('reason', 'in', reasons).execute()
}

async function storedKeys(db: Store['read']): Promise<{ own: string | undefined; others: string[] }> {
  return { own: await readMeta(db, TOMBSTONE_KEY), others: JSON.parse((await readMeta(db, OTHER_KEYS)) ?? '[]') as string[] }
}

/** All keys, this database's own first. */
export async function listKeys(db: Store['read']): Promise<string[]> {
  const { own, others } = await storedKeys(db)
  return own === undefined ? others : [own, ...others]
}

export async function listTombstones(db: Store['read']): Promise<TombstoneSet> {
  return { keys: await listKeys(db), rows: await db.selectFrom('tombstones').selectAll().orderBy('removed_at').orderBy('id').execute() }
}
