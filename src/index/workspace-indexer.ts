/** Keeps the documents that people wrote in the index: reads what changed, removes what is gone. Never writes a file. */

import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { DocumentRoot } from '../ingest/documents/document-roots.ts'
import { codeOf, type FoundDocument, listDocuments, type WalkOptions } from '../ingest/documents/list-documents.ts'
import { MOST_BYTES, readDocument, readNamed, type Skipped } from '../ingest/documents/read-document.ts'
import { isUnchanged, loadStates, saveState, type UnitState } from '../ingest/sync-state.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import type { Owner } from './chunk-row.ts'
import { indexIdentity, unanalyzed } from './identity.ts'
import type { RunOptions } from './run.ts'
import { DOCUMENT_RULES, type PreparedDocument, prepareDocument, removeDocument, writeDocument } from './workspace-document.ts'

export interface WorkspaceIndexerOptions extends WalkOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly maxChunkTokens: number
  readonly roots: readonly DocumentRoot[]
}

/** found = imported + unchanged. What is left out (too large, no text, rendered by us) is not counted. */
export interface WorkspaceReport {
  readonly found: number
  readonly imported: number
  readonly unchanged: number
  readonly removed: number
  readonly chunks: number
  readonly bytesRead: number
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
  /** The text of an indexed document as it is now; undefined when there is no such file, or it may not be shown. */
  read(path: string): Promise<string | undefined>
}

const ADAPTER = 'memory'
const CHUNKS_PER_TRANSACTION = 100
const DOCUMENTS_PER_TRANSACTION = 50

export function workspaceIndexer(options: WorkspaceIndexerOptions): WorkspaceIndexer {
  return {
    run: (run = {}) => runDocuments(options, run),
    read: (path) => readNamed(options.roots, path),
  }
}

type Count = { -readonly [K in keyof WorkspaceReport]: WorkspaceReport[K] } & { warnings: string[] }

/** What is to be written about one file. */
interface Change {
  readonly found: FoundDocument
  readonly prepared?: PreparedDocument
  readonly skipped?: Skipped
}

async function runDocuments(options: WorkspaceIndexerOptions, run: WorkspaceRun): Promise<WorkspaceReport> {
  const { store, roots, maxChunkTokens } = options
  const { documents: all, unlisted, warnings } = await listDocuments(roots, options)
  const tombstones = await tombstonesOf({ db: store.read })
  // What was forgotten leaves the index, and its file stays as it is: it is somebody else's.
  const documents = tombstones === undefined ? all : all.filter(({ path }) => !tombstones.holds('document', path))
  const states = await loadStates(store, ADAPTER)
  const known = await knownDocuments(store)
  const whole = indexIdentity(maxChunkTokens)
  const identity = run.analyze === false ? unanalyzed(whole) : whole
  const accepts = new Set([identity, whole])
  const count: Count = { found: 0, imported: 0, unchanged: 0, removed: 0, chunks: 0, bytesRead: 0, warnings: [...warnings] }
  let batch: Change[] = []
  const flush = async () => {
    if (batch.length > 0) await write(options, run, { batch, identity })
    batch = []
    await pause()
  }
  for (const found of documents) {
    throwIfStopped(run.signal, 'indexing')
    const state = states.get(found.path)
    const document = known.get(found.path)
    if (!run.force && isUnchanged(found, state) && isSettled(state, document, accepts)) {
      if (carryOf(state).skipped === undefined) tally(count, 'unchanged')
      continue
    }
    const change = await changeOf(found, options, count)
    if (change === undefined) continue
    const settled = !run.force && carryOf(state).rules === DOCUMENT_RULES && document !== undefined && accepts.has(document.identity)
    const same = settled && change.prepared?.document.hash === document.hash
    if (change.prepared) tally(count, same ? 'unchanged' : 'imported')
    if (change.prepared && !same) count.chunks += change.prepared.parts.length
    batch.push(change.prepared && same ? { found } : change)
    if (batch.length >= DOCUMENTS_PER_TRANSACTION || chunksOf(batch) >= CHUNKS_PER_TRANSACTION) await flush()
  }
  await flush()
  count.removed = await removeGone(options, run, { documents, unlisted, known, states })
  return count
}

function tally(count: Count, what: 'imported' | 'unchanged'): void {
  count.found++
  count[what]++
}

function chunksOf(batch: readonly Change[]): number {
  return batch.reduce((sum, { prepared }) => sum + (prepared?.parts.length ?? 0), 0)
}

interface Known {
  readonly hash: string
  readonly identity: string
}

async function knownDocuments(store: Store): Promise<Map<string, Known>> {
  const rows = await store.read
    .selectFrom('files')
    .select(['path', 'hash', 'identity'])
    .where('source', '=', 'memory')
    .where('kind', '=', 'document')
    .execute()
  return new Map(rows.map((row) => [row.path, row]))
}

/** The file was dealt with by these very rules, and what came of it is still there. */
function isSettled(state: UnitState | undefined, document: Known | undefined, accepts: ReadonlySet<string>): boolean {
  if (carryOf(state).rules !== DOCUMENT_RULES) return false
  return carryOf(state).skipped !== undefined || (document !== undefined && accepts.has(document.identity))
}

function carryOf(state: UnitState | undefined): { rules?: string; skipped?: Skipped } {
  return state?.carry_json ? (JSON.parse(state.carry_json) as { rules?: string; skipped?: Skipped }) : {}
}

const REASONS = {
  too_large: `larger than ${MOST_BYTES >> 20} MB`,
  not_utf8: 'not UTF-8 text',
} as const

/** Reads a file; undefined where nothing can be said about it now. A file that is left out is a warning when that is news. */
async function changeOf(found: FoundDocument, options: WorkspaceIndexerOptions, count: Count): Promise<Change | undefined> {
  try {
    const read = await readDocument(found.file)
    count.bytesRead += read.bytes
    if ('text' in read) {
      const { maxChunkTokens, owner } = options
      return { found, prepared: prepareDocument(found, read.text, { maxTokens: maxChunkTokens, owner }) }
    }
    if (read.skipped === 'gone') return undefined
    if (read.skipped !== 'rendered') count.warnings.push(`${found.file} is left out: ${REASONS[read.skipped]}`)
    return { found, skipped: read.skipped }
  } catch (error) {
    // Perhaps tomorrow: what is known of it stays.
    count.warnings.push(`cannot read ${found.file}: ${codeOf(error)}`)
    return undefined
  }
}

async function write(
  { store, clock, owner }: WorkspaceIndexerOptions,
  { lease, analyze = true }: WorkspaceRun,
  { batch, identity }: { batch: readonly Change[]; identity: string },
): Promise<void> {
  await store.write(async (tx) => {
    await lease?.check(tx)
    const tombstones = await tombstonesOf(tx)
    for (const { found, prepared, skipped } of batch) {
      if (tombstones?.holds('document', found.path)) continue
      if (prepared) await writeDocument(tx, prepared, { identity, analyze, now: clock(), owner })
      else if (skipped) await removeDocument(tx, found.path)
      await saveState(tx, {
        adapter: ADAPTER,
        path: found.path,
        size: found.size,
        mtime_ms: found.mtimeMs,
        offset: 0,
        status: skipped === undefined || skipped === 'rendered' ? 'done' : 'quarantined',
        records: prepared?.parts.length ?? 0,
        carry_json: JSON.stringify(skipped === undefined ? { rules: DOCUMENT_RULES } : { rules: DOCUMENT_RULES, skipped }),
        updated_at: clock(),
      })
    }
  })
}

interface Gone {
  readonly documents: readonly FoundDocument[]
  readonly unlisted: readonly string[]
  readonly known: ReadonlyMap<string, Known>
  readonly states: ReadonlyMap<string, UnitState>
}

/** Removes what is known and no longer there. What lies below a place that could not be listed stays. */
async function removeGone(
  { store }: WorkspaceIndexerOptions,
  { lease }: RunOptions,
  { documents, unlisted, known, states }: Gone,
): Promise<number> {
  const there = new Set(documents.map(({ path }) => path))
  const hidden = (path: string) => unlisted.some((place) => place === '' || path === place || path.startsWith(`${place}/`))
  const gone = [...new Set([...known.keys(), ...states.keys()])].filter((path) => !there.has(path) && !hidden(path))
  for (let i = 0; i < gone.length; i += DOCUMENTS_PER_TRANSACTION) {
    await store.write(async (tx: WriteTx) => {
      await lease?.check(tx)
      for (const path of gone.slice(i, i + DOCUMENTS_PER_TRANSACTION)) {
        await removeDocument(tx, path)
        await tx.db.deleteFrom('sync_state').where('adapter', '=', ADAPTER).where('path', '=', path).execute()
      }
    })
  }
  return gone.filter((path) => known.has(path)).length
}
