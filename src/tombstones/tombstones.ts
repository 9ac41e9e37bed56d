/**
 * Code that writes external text must check tombstones in the same transaction. docs/forgetting.md ("Where a tombstone is honoured") lists
 * every such file; a test compares the two.
 */
import { readMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { listKeys, recordHash, TOMBSTONE_REVISION, type TombstoneKind, textHash } from './write-tombstones.ts'

export interface Tombstones {
  holds(kind: TombstoneKind, id: string): boolean
  holdsText(text: string): boolean
  /** A stable pseudonym for a forbidden id; does not reveal it. */
  nameFor(kind: TombstoneKind, id: string): string
}

type Loaded = { readonly revision: string; readonly tombstones: Tombstones | undefined }

export type TombstoneReader = (tx: Pick<WriteTx, 'db'>) => Promise<Tombstones | undefined>

/** Undefined if nothing was ever forgotten. Cached until the revision changes: a call normally reads one row. */
export function tombstoneReader(): TombstoneReader {
  let loaded: Loaded = { revision: '', tombstones: undefined }
  return async ({ db }) => {
    const revision = await readMeta(db, TOMBSTONE_REVISION)
    if (revision === undefined) return undefined
    if (revision !== loaded.revision) loaded = { revision, tombstones: await load(db) }
    return loaded.tombstones
  }
}

async function load(db: Store['read']): Promise<Tombstones | undefined> {
  const keys = await listKeys(db)
  const [own] = keys
  if (own === undefined) return undefined
  const records = new Map<string, Set<string>>()
  const texts = new Set<string>()
  for (const { kind, record_hash, text_hash } of await db.selectFrom('tombstones').select(['kind', 'record_hash', 'text_hash']).execute()) {
    if (record_hash !== null) records.set(kind, (records.get(kind) ?? new Set()).add(record_hash))
    if (text_hash !== null) texts.add(text_hash)
  }
  const keyThatHolds = (kind: TombstoneKind, id: string) => {
    const held = records.get(kind)
    return held && keys.find((key) => held.has(recordHash(key, kind, id)))
  }
  return {
    holds: (kind, id) => keyThatHolds(kind, id) !== undefined,
    holdsText(text) {
      if (texts.size === 0) return false
      return keys.some((key) => texts.has(textHash(key, text) ?? ''))
    },
    nameFor: (kind, id) => `forgotten:${recordHash(keyThatHolds(kind, id) ?? own, kind, id)}`,
  }
}

const readers = new WeakMap<object, TombstoneReader>()

export function tombstonesOf(tx: Pick<WriteTx, 'db'>): Promise<Tombstones | undefined> {
  const reader = readers.get(tx.db) ?? tombstoneReader()
  readers.set(tx.db, reader)
  return reader(tx)
}
