/** The gate before every ledger table: what was forgotten is recognised by its keyed hashes and does not come in again. */
import { compiledOnce } from '../store/compiled-once.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { recordHash, TOMBSTONE_KEY, TOMBSTONE_REVISION, type TombstoneKind, textHash } from './tombstones.ts'

export interface Fence {
  /** The record of this id, or the field of the record of this id, was forgotten. */
  holds(kind: TombstoneKind, id: string): boolean
  /** A record of just this text was forgotten. */
  holdsText(text: string): boolean
  /** Stands for an id that must not be written: the same for the same id, and says nothing of it. */
  nameFor(kind: TombstoneKind, id: string): string
}

type Loaded = { readonly revision: string; readonly fence: Fence | undefined }

export type FenceReader = (tx: Pick<WriteTx, 'db'>) => Promise<Fence | undefined>

/**
 * Gives the fence as it stands inside the caller's transaction, undefined while nothing was ever forgotten. Reads the tombstones again
 * only when one was added since: each call costs one row.
 */
export function fenceReader(): FenceReader {
  let loaded: Loaded = { revision: '', fence: undefined }
  return async ({ db }) => {
    const [row] = await revisionRow(db, { key: TOMBSTONE_REVISION })
    if (row === undefined) return undefined
    if (row.value !== loaded.revision) loaded = { revision: row.value, fence: await load(db) }
    return loaded.fence
  }
}

const revisionRow = compiledOnce((db, { key }: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', key))

async function load(db: Store['read']): Promise<Fence | undefined> {
  const [row] = await revisionRow(db, { key: TOMBSTONE_KEY })
  if (row === undefined) return undefined
  const key = row.value
  const records = new Set<string>()
  const texts = new Set<string>()
  for (const { record_hash, text_hash } of await db.selectFrom('tombstones').select(['record_hash', 'text_hash']).execute()) {
    if (record_hash !== null) records.add(record_hash)
    if (text_hash !== null) texts.add(text_hash)
  }
  return {
    holds: (kind, id) => records.has(recordHash(key, kind, id)),
    holdsText(text) {
      if (texts.size === 0) return false
      const hash = textHash(key, text)
      return hash !== undefined && texts.has(hash)
    },
    nameFor: (kind, id) => `forgotten:${recordHash(key, kind, id)}`,
  }
}
