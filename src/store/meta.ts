/** Single values of a database by name: cursors, marks, keys. Nothing else reads or writes the table `meta`, and every key of it is listed here. */
import type { Kysely } from 'kysely'
import { compiledOnce } from './compiled-once.ts'
import type { Tables } from './tables.ts'

/** Keys that the whole database has once. */
export const META = {
  /** The secret that tombstones are hashed with. Never leaves the database, not even to `mnemonic sql`. */
  tombstoneKey: 'tombstone_key',
  /** Such keys of other databases whose tombstones were taken over: a JSON array. */
  otherTombstoneKeys: 'tombstone_other_keys',
  /** A number that grows with every change of the tombstones: what was read of them before is old. */
  tombstoneRevision: 'tombstone_revision',
  /** The state of the tombstones here and in the workspace when they were last compared. */
  tombstoneMark: 'tombstone_mark',
  /** A forgetting that is not finished yet: JSON, without text or id. Absent when there is none. */
  forgetPending: 'forget_pending',
  /** Where whole copies of the database were written, where exports, and where forks: JSON arrays of absolute paths. */
  backups: 'backups',
  exports: 'exports',
  forks: 'forks',
  /** The model whose vectors answer, and the one that will next: JSON (VectorConfig). */
  embeddingIdentity: 'embedding_identity',
  embeddingShadow: 'embedding_shadow',
  /** Whether signs of single tokens are kept: TokenBitsState. */
  tokenBits: 'token_bits',
  /** When embedding is tried again after failures: JSON. */
  embeddingBackOff: 'embedding_back_off',
  /** Until when a language model is left alone after failed calls: JSON. */
  modelRest: 'model_rest',
  /** The same of the memory-writer's agent; how its last run ended; and what a run that is under way has to leave behind: JSON. */
  agentRest: 'agent_rest',
  agentLast: 'agent_last',
  agentRun: 'agent_run',
  /** The version of the code and settings that built the index. */
  indexIdentity: 'index_identity',
  /** The version of the code that built the index of tool work. */
  workIdentity: 'work_identity',
  /** The number of the last change of a mirrored file; the table alone would lose it with the row. */
  documentsRevision: 'documents_revision',
  /** The last change of the mirrored files that the index has followed: of the workspace's documents, and of published history. */
  documentsCursor: 'memory_documents_cursor_v1',
  publishedCursor: 'memory_published_cursor_v1',
  /** The number of the last change of an episode; and the last that the index has followed. */
  episodesRevision: 'episodes_revision',
  episodesCursor: 'memory_episodes_cursor_v1',
  /** The version of the redaction that everything derived was made with. */
  redactionVersion: 'redaction_version',
  /** The version of the extractor that derived events were made with. */
  derivedIdentity: 'derived_identity',
  /** The version of the rules that took the facts of projects. */
  factsIdentity: 'facts_identity',
  /** The version of the rules that follow failures. */
  failuresIdentity: 'failures_identity',
  /** The versions of the rules that labelled turns. */
  labelsIdentity: 'labels_identity',
  /** The rule by which turns that a source names were grouped. */
  namedTurns: 'named_turns',
  /** The program and the versions of the rules that a sync last analysed with. */
  analysesIdentity: 'analyses_identity',
  /** The definitions by which the episodes were made: a hash. */
  episodesIdentity: 'episodes_identity',
  /** Definitions that were added, and whose episodes were not made yet: a JSON array of names. */
  definitionsAdded: 'definitions_added',
  /** The number of the last change of a series of a calendar. */
  seriesRevision: 'series_revision',
  /** The owner's addresses by which the direction of mails was last decided: a JSON array. */
  mailOwners: 'mail_owners',
  /** The owner's addresses and numbers by which it was last decided whose meetings are: JSON. */
  meetingOwners: 'meeting_owners',
  /** The owner's numbers by whose country those of address books were last completed: a JSON array. */
  contactPhones: 'contact_phones',
  /** A mail that the owner sent is gone: who was written to must be asked again. Absent otherwise. */
  mailRecheck: 'mail_recheck',
  /** A rebuild of all that is derived is not finished yet. Absent when there is none. */
  rebuildPending: 'rebuild_pending',
  /** What a repair still needs: `index` or `rebuild`. Absent when there is nothing. */
  repairPending: 'repair_pending',
  /** Written by the last restore: by it the new content is known. */
  replaced: 'replaced',
  /** Only ever inside a transaction that is rolled back: can the database be written? */
  healthProbe: 'health_probe',
} as const

/** Keys that each agent has. */
export const AGENT_META = {
  /** The last history row that the index has followed. The agent `main` has it without its name. */
  indexCursor: 'memory_sessions_ledger_cursor_v1',
  /** The workspace whose published files all have rows; `*` stands for all agents. */
  artifactsIndexed: 'artifacts_indexed',
  /** Numbers of the last rendering of MEMORY.md that was asked for, and of the last that was done. */
  memoryMdAsked: 'memory_md_asked',
  memoryMdDone: 'memory_md_done',
} as const

type AgentKey = (typeof AGENT_META)[keyof typeof AGENT_META]
/** A key that is not listed above is none. */
export type MetaKey = (typeof META)[keyof typeof META] | AgentKey | `${AgentKey}:${string}`

export async function readMeta(db: Kysely<Tables>, key: MetaKey): Promise<string | undefined> {
  return (await valueByKey(db, { key }))[0]?.value
}

const valueByKey = compiledOnce((db, { key }: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', key))

/** Those of the keys that are there. */
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
