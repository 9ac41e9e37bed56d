/** What must never come back, written as keyed hashes. Neither an id nor a text can be read out of a tombstone. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Store, WriteTx } from '../store/store.ts'
import type { TombstonesTable } from '../store/tables.ts'

/** What a tombstone can stand for. Fields of a session are fenced one by one: the rest of it stays. */
export type TombstoneKind =
  | 'session'
  | 'message'
  | 'call-params'
  | 'call-result'
  | 'title'
  /** A string, fenced wherever it comes whole: a person's name, a folder, a label, a line of text. */
  | 'value'
  /** One column of one session. */
  | 'field'
  | 'path'
  | 'event'
  | 'document'
  | 'entity'
  /** A published file, by the checksum of its body. */
  | 'artifact'
  /** A text as this session says it; without a session, wherever it is said. */
  | 'text'

export type NewTombstone = Insertable<TombstonesTable>

export const TOMBSTONE_KEY = 'tombstone_key'
/** Keys of other databases whose tombstones are kept here too: a JSON array. */
export const OTHER_KEYS = 'tombstone_other_keys'
/** Moves with every tombstone: what was read of them before is old. */
export const TOMBSTONE_REVISION = 'tombstone_revision'
/** Shorter texts ("yes", "go on") are said by everybody every day: fencing them would keep out what nobody asked to forget. */
const OWN_WORDS = 32

export async function tombstoneKey(tx: WriteTx): Promise<string> {
  const row = await tx.db.selectFrom('meta').select('value').where('key', '=', TOMBSTONE_KEY).executeTakeFirst()
  if (row !== undefined) return row.value
  const key = randomBytes(32).toString('hex')
  await setMeta(tx, TOMBSTONE_KEY, key)
  return key
}

/** The hash by which a record is fenced. */
export function recordHash(key: string, kind: TombstoneKind, id: string): string {
  return keyed(key, `record\n${kind}\n${id}`)
}

/** The id under which a text is fenced in one session: its source may number or name its messages anew. */
export function textId(session: string, text: string): string {
  return `${session}\n${text.replace(/\s+/g, ' ').trim()}`
}

/** The hash by which a text is fenced, whatever spaces stand between its words; undefined where it is too short to be anybody's own. */
export function textHash(key: string, text: string): string | undefined {
  return isOwnWords(text) ? keyed(key, `text\n${text.replace(/\s+/g, ' ').trim()}`) : undefined
}

/** It is long enough that nobody else says the same by chance. */
export function isOwnWords(text: string): boolean {
  return text.replace(/\s+/g, ' ').trim().length >= OWN_WORDS
}

function keyed(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, 40)
}

export interface Forgotten {
  readonly kind: TombstoneKind
  readonly agentId: string
  /** The record's id; absent for a text that is fenced alone. */
  readonly id?: string
  /** The record's text, fenced by its hash wherever else it comes from. */
  readonly text?: string
  readonly sessionToken?: string
  readonly removedPaths?: readonly string[]
}

/** Adds tombstones and says so to every process that writes. One that stands already stays as it is. Gives those that are new. */
export async function addTombstones(
  tx: WriteTx,
  forgotten: readonly Forgotten[],
  { removedAt, reason }: { removedAt: number; reason: string },
): Promise<NewTombstone[]> {
  const added: NewTombstone[] = []
  const key = await tombstoneKey(tx)
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

/** What stands where nobody said why. */
export const NO_REASON = 'owner'

/** A reason may say what was forgotten later. */
export async function blankReasons(tx: WriteTx, reasons: readonly string[]): Promise<void> {
  await tx.db.updateTable('tombstones').set({ reason: NO_REASON }).where('reason', 'in', reasons).execute()
}

/** True when it was not there yet. */
export async function putTombstone(tx: WriteTx, row: NewTombstone): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('tombstones')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

export async function moveRevision(tx: WriteTx): Promise<void> {
  const row = await tx.db.selectFrom('meta').select('value').where('key', '=', TOMBSTONE_REVISION).executeTakeFirst()
  await setMeta(tx, TOMBSTONE_REVISION, String(Number(row?.value ?? 0) + 1))
}

/** Another machine's or an older database's key becomes ours where we have none yet; else it is kept beside ours. True when it was unknown. */
export async function adoptKey(tx: WriteTx, key: string): Promise<boolean> {
  const rows = await tx.db.selectFrom('meta').selectAll().where('key', 'in', [TOMBSTONE_KEY, OTHER_KEYS]).execute()
  const { own, others } = keysIn(rows)
  if (own === key || others.includes(key)) return false
  if (own === undefined) await setMeta(tx, TOMBSTONE_KEY, key)
  else await setMeta(tx, OTHER_KEYS, JSON.stringify([...others, key]))
  return true
}

export function keysIn(rows: readonly { key: string; value: string }[]): { own: string | undefined; others: string[] } {
  const stored = (name: string) => rows.find(({ key }) => key === name)?.value
  return { own: stored(TOMBSTONE_KEY), others: JSON.parse(stored(OTHER_KEYS) ?? '[]') as string[] }
}

/** All keys, ours first. */
export async function listKeys(db: Store['read']): Promise<string[]> {
  const { own, others } = keysIn(await db.selectFrom('meta').selectAll().where('key', 'in', [TOMBSTONE_KEY, OTHER_KEYS]).execute())
  return own === undefined ? others : [own, ...others]
}

export async function listTombstones(store: Pick<Store, 'read'>): Promise<NewTombstone[]> {
  return store.read.selectFrom('tombstones').selectAll().orderBy('removed_at').orderBy('id').execute()
}

async function setMeta(tx: WriteTx, key: string, value: string): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
