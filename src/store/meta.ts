/** The only access to the table `meta`. Every key must be listed here. */
import type { Kysely } from 'kysely'
import { compiledOnce } from './compiled-once.ts'
import type { Tables } from './tables.ts'

export const META = {
  /** HMAC key of tombstones. Must never leave the database, not even through `mnemonic sql`. */
  tombstoneKey: 'tombstone_key',
  /** Keys of other databases whose tombstones were merged: JSON array. */
  otherTombstoneKeys: 'tombstone_other_keys',
  tombstoneRevision: 'tombstone_revision',
  /** Tombstone state of database and workspace at their last comparison. */
  tombstoneMark: 'tombstone_mark',
  forgetPending: 'forget_pending',
  /** Paths of backups, exports and forks: JSON arrays of absolute paths. */
  backups: 'backups',
  exports: 'exports',
  forks: 'forks',
  /** Active embedding model, and its successor being built: JSON (VectorConfig). */
  embeddingIdentity: 'embedding_identity',
  embeddingShadow: 'embedding_shadow',
  tokenBits: 'token_bits',
  /** When to retry embedding after failures: JSON. */
  embeddingBackOff: 'embedding_back_off',
  /** When to retry language models after failures: JSON. */
  modelRest: 'model_rest',
  /** Memory-writer agent: retry time, last result, and state of a running run: JSON. */
  agentRest: 'agent_rest',
  agentLast: 'agent_last',
  agentRun: 'agent_run',
  indexIdentity: 'index_identity',
  workIdentity: 'work_identity',
  /** Change counter of mirrored files; the table alone would lose it with a deleted row. */
  documentsRevision: 'documents_revision',
  /** Index cursors over mirrored workspace documents and published files. */
  documentsCursor: 'memory_documents_cursor_v1',
  publishedCursor: 'memory_published_cursor_v1',
  /** Change counter of episodes, and the index cursor over it. */
  episodesRevision: 'episodes_revision',
  episodesCursor: 'memory_episodes_cursor_v1',
  redactionVersion: 'redaction_version',
  derivedIdentity: 'derived_identity',
  factsIdentity: 'facts_identity',
  failuresIdentity: 'failures_identity',
  labelsIdentity: 'labels_identity',
  /** Rule version for turns that the source names. */
  namedTurns: 'named_turns',
  analysesIdentity: 'analyses_identity',
  episodesIdentity: 'episodes_identity',
  /** Added definitions whose episodes are not built yet: JSON array. */
  definitionsAdded: 'definitions_added',
  seriesRevision: 'series_revision',
  /** Owner addresses last used to decide mail direction: JSON array. */
  mailOwners: 'mail_owners',
  /** Owner handles last used to decide which meetings are the owner's: JSON. */
  meetingOwners: 'meeting_owners',
  /** Owner numbers last used to complete contacts' country codes: JSON array. */
  contactPhones: 'contact_phones',
  /** Set if a mail of the owner was deleted: known recipients must be recomputed. */
  mailRecheck: 'mail_recheck',
  rebuildPending: 'rebuild_pending',
  repairPending: 'repair_pending',
  /** Set by the last restore; identifies the new content. */
  replaced: 'replaced',
  /** Written only in a rolled-back transaction, to test that the database is writable. */
  healthProbe: 'health_probe',
} as const

export const AGENT_META = {
  /** Index cursor over the ledger history. For `main` the key has no suffix. */
  indexCursor: 'memory_sessions_ledger_cursor_v1',
  /** The workspace whose published files are all indexed; `*` means all agents. */
  artifactsIndexed: 'artifacts_indexed',
  /** Counters of requested and finished MEMORY.md renderings. */
  memoryMdAsked: 'memory_md_asked',
  memoryMdDone: 'memory_md_done',
} as const

type AgentKey = (typeof AGENT_META)[keyof typeof AGENT_META]
export type MetaKey = (typeof META)[keyof typeof META] | AgentKey | `${AgentKey}:${string}`

export async function readMeta(db: Kysely<Tables>, key: MetaKey): Promise<string | undefined> {
  return (await valueByKey(db, { key }))[0]?.value
}

const valueByKey = compiledOnce((db, { key }: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', key))

export async function readMetas(db: Kysely<Tables>, keys: readonly MetaKey[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export async function writeMeta(db: Kysely<Tables>, key: MetaKey, value: string): Promise<void> {
  await putValue(db, { key, value })
}

const putValue = compiledOnce((db, { key, value }: { key: string; value: string }) =>
  db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value })),
)

export async function removeMeta(db: Kysely<Tables>, key: MetaKey): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', key).execute()
}
