/** Keeps the mirrored documents that people wrote in the index: writes what differs, removes what is gone. Reads no disk. */

import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Owner } from './context-lines.ts'
import { indexIdentity, unanalyzed } from './identity.ts'
import type { RunOptions } from './run.ts'
import { DOCUMENT_RULES, type PreparedDocument, prepareDocument, removeDocument, writeDocument } from './workspace-document.ts'

export interface WorkspaceIndexerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly maxChunkTokens: number
}

/** found = imported + unchanged. */
export interface WorkspaceReport {
  readonly found: number
  readonly imported: number
  readonly unchanged: number
  readonly removed: number
  readonly chunks: number
  readonly warnings: readonly string[]
}

export interface WorkspaceRun extends RunOptions {
  readonly force?: boolean
  /** False: topics and flags of what is new wait for the next run that makes them. */
  readonly analyze?: boolean
}

export interface WorkspaceIndexer {
  /** `force` writes equal documents again too. */
  run(options?: WorkspaceRun): Promise<WorkspaceReport>
  /** The text of a document as it was when it was last read; undefined when there is no such document. */
  read(path: string): Promise<string | undefined>
}

const RULES_KEY = 'documents_indexed_by'
const CHUNKS_PER_TRANSACTION = 100
const DOCUMENTS_PER_TRANSACTION = 50

export function workspaceIndexer(options: WorkspaceIndexerOptions): WorkspaceIndexer {
  return {
    run: (run = {}) => runDocuments(options, run),
    read: async (path) => (await mirrored(options.store, path))?.text,
  }
}

async function runDocuments(options: WorkspaceIndexerOptions, run: WorkspaceRun): Promise<WorkspaceReport> {
  const { store, maxChunkTokens: maxTokens, owner } = options
  const known = await knownDocuments(store)
  const whole = indexIdentity(maxTokens)
  const identity = run.analyze === false ? unanalyzed(whole) : whole
  const force = run.force || ((await readMeta(store.read, RULES_KEY)) ?? DOCUMENT_RULES) !== DOCUMENT_RULES
  const rows = await store.read.selectFrom('documents').select(['path', 'hash']).where('kind', '=', 'document').orderBy('path').execute()
  const isSettled = ({ path, hash }: { path: string; hash: string }) => {
    const document = known.get(path)
    return document?.hash === hash && (document.identity === identity || document.identity === whole)
  }
  const changed = force ? rows : rows.filter((row) => !isSettled(row))
  const count = { found: rows.length, imported: changed.length, unchanged: rows.length - changed.length, removed: 0, chunks: 0 }
  let batch: PreparedDocument[] = []
  const flush = async () => {
    if (batch.length > 0) await write(options, run, { batch, identity })
    batch = []
    await pause()
  }
  for (const { path } of changed) {
    throwIfStopped(run.signal, 'indexing')
    const document = await mirrored(store, path)
    if (document === undefined) continue
    const prepared = prepareDocument(document, { maxTokens, owner })
    count.chunks += prepared.parts.length
    batch.push(prepared)
    if (batch.length >= DOCUMENTS_PER_TRANSACTION || chunksOf(batch) >= CHUNKS_PER_TRANSACTION) await flush()
  }
  await flush()
  const there = new Set(rows.map(({ path }) => path))
  count.removed = await removeGone(
    options,
    run,
    [...known.keys()].filter((path) => !there.has(path)),
  )
  return { ...count, warnings: [] }
}

function chunksOf(batch: readonly PreparedDocument[]): number {
  return batch.reduce((sum, { parts }) => sum + parts.length, 0)
}

function mirrored(store: Store, path: string) {
  return store.read
    .selectFrom('documents')
    .select(['path', 'agent_id', 'timestamp', 'text'])
    .where('path', '=', path)
    .where('kind', '=', 'document')
    .executeTakeFirst()
}

async function knownDocuments(store: Store): Promise<Map<string, { readonly hash: string; readonly identity: string }>> {
  const rows = await store.read
    .selectFrom('files')
    .select(['path', 'hash', 'identity'])
    .where('source', '=', 'memory')
    .where('kind', '=', 'document')
    .execute()
  return new Map(rows.map((row) => [row.path, row]))
}

async function write(
  { store, clock, owner }: WorkspaceIndexerOptions,
  { lease, analyze = true }: WorkspaceRun,
  { batch, identity }: { batch: readonly PreparedDocument[]; identity: string },
): Promise<void> {
  await store.write(async (tx) => {
    await lease?.check(tx)
    for (const prepared of batch) {
      // Forgotten, or gone, since it was read.
      const row = await tx.db.selectFrom('documents').select('hash').where('path', '=', prepared.document.path).executeTakeFirst()
      if (row?.hash === prepared.document.hash) await writeDocument(tx, prepared, { identity, analyze, now: clock(), owner })
    }
    await writeMeta(tx.db, RULES_KEY, DOCUMENT_RULES)
  })
}

/** Gives how many there were. */
async function removeGone({ store }: WorkspaceIndexerOptions, { lease }: RunOptions, gone: readonly string[]): Promise<number> {
  for (let i = 0; i < gone.length; i += DOCUMENTS_PER_TRANSACTION) {
    await store.write(async (tx: WriteTx) => {
      await lease?.check(tx)
      for (const path of gone.slice(i, i + DOCUMENTS_PER_TRANSACTION)) await removeDocument(tx, path)
    })
  }
  return gone.length
}
