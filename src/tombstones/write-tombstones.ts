/** Tombstones are keyed hashes (HMAC): neither an id nor a text can be recovered from one. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { TombstonesTable } from '../store/tables.ts'

/** Session fields have kinds of their own, so that the rest of the session stays. */
export type TombstoneKind =
  | 'session'
  | 'message'
  | 'call-params'
  | 'call-result'
  | 'title'
  /** Removed wherever it is a whole value: a person's name, folder, label or line. */
  | 'value'
  | 'field'
  | 'path'
  | 'event'
  /** Also blocks the conversation's future messages. */
  | 'thread'
  | 'document'
  | 'entity'
  /** A published file, keyed by its body's checksum. */
  | 'artifact'
  /** A text in one session, or in any session if none is given. */
  | 'text'

export type NewTombstone = Insertable<TombstonesTable>

export interface TombstoneSet {
  readonly keys: readonly string[]
  readonly rows: readonly NewTombstone[]
}

export const TOMBSTONE_KEY = 'tombstone_key'
/** From databases whose tombstones were merged in: JSON array. */
export const OTHER_KEYS = 'tombstone_other_keys'
/** Bumped with every new tombstone; invalidates caches. */
export const TOMBSTONE_REVISION = 'tombstone_revision'
/** Shorter texts ("yes", "go on") are common: a tombstone would block unrelated messages. */
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

/** Keyed by text, because a source may renumber its messages. */
export function textId(session: string, text: string): string {
  return `${session}\n${text.replace(/\s+/g, ' ').trim()}`
}

/** Ignores white space. Undefined if the text is too short. */
export function textHash(key: string, text: string): string | undefined {
  return isOwnWords(text) ? keyed(key, `text\n${text.replace(/\s+/g, ' ').trim()}`) : undefined
}

export function isOwnWords(text: string): boolean {
  return text.replace(/\s+/g, ' ').trim().length >= SHORTEST_OWN_TEXT
}

function keyed(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, 40)
}

export interface Forgotten {
  readonly kind: TombstoneKind
  readonly agentId: string
  readonly id?: string
  /** Its hash blocks the text from every source. */
  readonly text?: string
  readonly sessionToken?: string
  readonly removedPaths?: readonly string[]
}

/** Bumps the revision, so that other processes reload. Idempotent. Returns the new tombstones. */
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

/** Merges tombstones of another database or the file. Returns the number added; the caller must bump the revision. */
export async function takeOverTombstones(tx: WriteTx, { keys, rows }: TombstoneSet): Promise<number> {
  let added = 0
  for (const key of keys) await adoptKey(tx, key)
  for (const row of rows) if (await putTombstone(tx, row)) added += 1
  return added
}

async function putTombstone(tx: WriteTx, row: NewTombstone): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('tombstones')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/** Adopts a foreign key as this database's own if it has none, else stores it beside its own. */
async function adoptKey(tx: WriteTx, key: string): Promise<void> {
  const { own, others } = await storedKeys(tx.db)
  if (own === key || others.includes(key)) return
  if (own === undefined) await writeMeta(tx.db, TOMBSTONE_KEY, key)
  else await writeMeta(tx.db, OTHER_KEYS, JSON.stringify([...others, key]))
}

/** `beyond`: the revision of another database whose tombstones a process may have cached. */
export async function moveRevision(tx: WriteTx, beyond = 0): Promise<void> {
  const revision = Number((await readMeta(tx.db, TOMBSTONE_REVISION)) ?? 0)
  await writeMeta(tx.db, TOMBSTONE_REVISION, String(Math.max(revision, beyond) + 1))
}

export const NO_REASON = 'owner'

/** A reason may itself contain text forgotten later. */
export async function blankReasons(tx: WriteTx, reasons: readonly string[]): Promise<void> {
  await tx.db.updateTable('tombstones').set({ reason: NO_REASON }).where('reason', 'in', reasons).execute()
}

async function storedKeys(db: Store['read']): Promise<{ own: string | undefined; others: string[] }> {
  return { own: await readMeta(db, TOMBSTONE_KEY), others: JSON.parse((await readMeta(db, OTHER_KEYS)) ?? '[]') as string[] }
}

export async function listKeys(db: Store['read']): Promise<string[]> {
  const { own, others } = await storedKeys(db)
  return own === undefined ? others : [own, ...others]
}

export async function listTombstones(db: Store['read']): Promise<TombstoneSet> {
  return { keys: await listKeys(db), rows: await db.selectFrom('tombstones').selectAll().orderBy('removed_at').orderBy('id').execute() }
}
