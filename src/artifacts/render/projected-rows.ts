/** Uses stored rows; reads heads only of unfinished publications, or of all files if asked. Never reads a body. */
import { isEmptySession } from '../../analyze/outcome/empty-session.ts'
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'
import { parseArtifactPath } from '../format/artifact-name.ts'
import { artifactPaths } from '../format/published-files.ts'
import { parseHead, readRawHead } from '../format/read-artifact.ts'
import { type ArtifactRow, artifactRow, type ManifestLinks, putRowOf } from '../publish/artifact-rows.ts'
import { isIndexed } from '../publish/indexed-mark.ts'
import { openPublications, type Plan } from '../publish/journal.ts'
import type { LedgerRow } from './ledger-row.ts'
import { isInWindow, plainSentence, rowFloor, windowStart } from './ledger-row.ts'

export interface RowsContext {
  readonly store: Store
  readonly workspace: string
  readonly tombstones: TombstoneReader
  readonly isTemporary: (project: string | null) => boolean
  readonly signal?: AbortSignal
}

export interface RowsOptions {
  readonly agentId: string
  readonly now: number
  /** Of any age. If absent: the window. */
  readonly newest?: number
  /** Reads all heads and repairs rows. */
  readonly heads: boolean
}

export interface ProjectedRows {
  readonly rows: LedgerRow[]
  readonly warnings: string[]
}

export async function projectedRows(context: RowsContext, options: RowsOptions): Promise<ProjectedRows> {
  const { store, workspace } = context
  const { agentId, now, newest = Number.POSITIVE_INFINITY } = options
  const isMeant = (at: number) => (options.newest === undefined ? isInWindow(at, now) : at <= now)
  const known = await knownRows(store, options)
  const underWay = new Set((await openPublications(store, agentId)).map(({ plan_json }) => (JSON.parse(plan_json) as Plan).manifest))
  const indexed = await isIndexed(store, workspace, agentId)
  const manifests = indexed ? [...new Set([...known.values()].flatMap((row) => manifestOf(row) ?? []))] : manifestFiles(workspace)
  const tombstones = await context.tombstones({ db: store.read })
  const reader = headReader(workspace, known, now)
  const rows: LedgerRow[] = []
  const warnings: string[] = []
  // Unfinished publications may be newer or older than all rows.
  for (const path of new Set([...underWay, ...manifests])) {
    if (rows.length >= newest + underWay.size) break
    await pauseToStop(context.signal, 'rendering')
    const read =
      !indexed || options.heads || underWay.has(path) ? reader.fromFile : (file: string) => known.get(file) ?? reader.fromFile(file)
    try {
      const found = sessionRow(path, agentId, read)
      if (found === undefined || !isMeant(found.row.membershipTs) || context.isTemporary(found.row.project)) continue
      // A row proves publication or acceptance after the forget.
      const letIn = known.has(found.content) || underWay.has(path) || !tombstones?.holds('artifact', found.sha256)
      if (!letIn || tombstones?.holds('session', found.row.sessionId)) continue
      if (await isEmptySession(store.read, found.row.sessionId)) continue
      const against = rowFloor(found.row.sentence)
      rows.push(against.length === 0 ? found.row : { ...found.row, sentence: plainSentence(found.row) })
      if (against.length > 0)
        warnings.push(`${found.content}: memory_sentence is below the floor (${against.join(', ')}) and was not listed`)
    } catch (error) {
      if (!(error instanceof MnemonicError)) throw error
      warnings.push(error.message)
    }
  }
  if (reader.differing.length > 0) await mend(context, reader.differing, now)
  return { rows: options.newest === undefined ? rows : rows.sort((a, b) => b.membershipTs - a.membershipTs).slice(0, newest), warnings }
}

/** Newest first: names start with their time. */
function manifestFiles(workspace: string): string[] {
  return artifactPaths(workspace)
    .filter((path) => parseArtifactPath(path)?.kind === 'manifest')
    .sort((a, b) => (a < b ? 1 : -1))
}

function manifestOf(row: ArtifactRow): string | undefined {
  return row.source_kind === 'manifest' ? row.source_path : (row.manifest_path ?? undefined)
}

type Read = (path: string) => ArtifactRow | undefined

interface FoundRow {
  readonly row: LedgerRow
  readonly content: string
  readonly sha256: string
}

function sessionRow(manifestPath: string, agentId: string, read: Read): FoundRow | undefined {
  const manifest = read(manifestPath)
  if (manifest === undefined || manifest.agent_id !== agentId) return undefined
  const links = linksIn(manifest)
  const content = read(links.summary_path ?? links.compaction_path ?? '')
  if (content === undefined || content.membership_ts === null || content.membership_ts === undefined) return undefined
  // An edited manifest may point to another session.
  if (content.session_token !== manifest.session_token || content.agent_id !== agentId) return undefined
  const row = {
    membershipTs: content.membership_ts,
    sessionId: content.session_id,
    project: content.project ?? null,
    sentence: content.memory_sentence ?? '',
    summaryPath: links.summary_path,
    transcriptPath: links.transcript_path,
    compactionPath: links.compaction_path,
    manifestPath,
  }
  return { row, content: content.source_path, sha256: content.source_sha256 }
}

function linksIn(row: ArtifactRow): ManifestLinks {
  return JSON.parse(row.links_json ?? '{"summary_path":null,"transcript_path":null,"compaction_path":null}') as ManifestLinks
}

/** Collects paths with differing rows. */
function headReader(workspace: string, known: ReadonlyMap<string, ArtifactRow>, now: number): { fromFile: Read; differing: string[] } {
  const differing: string[] = []
  return {
    differing,
    fromFile(path) {
      const head = path === '' ? undefined : readRawHead(workspace, path)
      if (head === undefined) return undefined
      const stored = known.get(path)
      if (stored?.head_sha256 === head.sha256) return stored
      const row = artifactRow(parseHead(head, path), { path, headSha256: head.sha256, now })
      if (stored !== undefined) differing.push(path)
      return row
    },
  }
}

async function mend({ store, workspace }: RowsContext, paths: readonly string[], now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const path of paths) await putRowOf(tx, { workspace, now }, path)
  })
}

async function knownRows(store: Store, { agentId, now, newest }: RowsOptions): Promise<Map<string, ArtifactRow>> {
  const meant = store.read
    .selectFrom('artifacts')
    .where('agent_id', '=', agentId)
    .where('source_kind', 'in', ['summary', 'compaction'])
    .where('membership_ts', '>=', newest === undefined ? windowStart(now) : 0)
  const content = await meant.selectAll().orderBy('membership_ts', 'desc').orderBy('source_path').execute()
  const manifests = await store.read.selectFrom('artifacts').selectAll().where('source_path', 'in', meant.select('manifest_path')).execute()
  return new Map([...content, ...manifests].map((row) => [row.source_path, row]))
}
