/** The rows of a window, from the heads of manifests and summaries. A head that is as it was when its row was written is not parsed again. */
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { ARTIFACT_FOLDER, parseArtifactName } from './artifact-name.ts'
import { type ArtifactRow, artifactRow, type ManifestLinks } from './artifact-rows.ts'
import { artifactNames } from './find-manifest.ts'
import type { LedgerRow } from './ledger-row.ts'
import { isInWindow } from './memory-window.ts'
import { parseHead, readRawHead } from './read-head.ts'

export interface RowsContext {
  readonly store: Store
  readonly workspace: string
  readonly isTemporary: (project: string | null) => boolean
}

export interface ProjectedRows {
  readonly rows: LedgerRow[]
  /** Files that could not be read, by name. */
  readonly warnings: string[]
}

export async function projectedRows(context: RowsContext, agentId: string, now: number): Promise<ProjectedRows> {
  const { store, workspace } = context
  const known = await knownRows(store)
  const rows: LedgerRow[] = []
  const warnings: string[] = []
  const read = (path: string) => rowOf(workspace, path, known.get(path), now)
  for (const name of artifactNames(workspace)) {
    if (parseArtifactName(name)?.kind !== 'manifest') continue
    try {
      const row = sessionRow(`${ARTIFACT_FOLDER}/${name}`, { agentId, now, known, read })
      if (row !== undefined && !context.isTemporary(row.project)) rows.push(row)
    } catch (error) {
      if (!(error instanceof MnemonicError)) throw error
      warnings.push(error.message)
    }
  }
  return { rows, warnings }
}

type Read = (path: string) => ArtifactRow | undefined

function sessionRow(
  manifestPath: string,
  { agentId, now, known, read }: { agentId: string; now: number; known: ReadonlyMap<string, ArtifactRow>; read: Read },
): LedgerRow | undefined {
  // What the rows say is out of the window is not opened: a session comes back into it only by a new set, which renews its rows.
  const seen = known.get(manifestPath)
  if (seen !== undefined && seen.agent_id !== agentId) return undefined
  const before = seen && known.get(contentOf(linksIn(seen)) ?? '')
  if (before?.membership_ts !== undefined && before.membership_ts !== null && !isInWindow(before.membership_ts, now)) return undefined
  const manifest = read(manifestPath)
  if (manifest === undefined || manifest.agent_id !== agentId) return undefined
  const links = linksIn(manifest)
  const content = read(contentOf(links) ?? '')
  if (content === undefined || content.membership_ts === null || content.membership_ts === undefined) return undefined
  return {
    membershipTs: content.membership_ts,
    sessionId: content.session_id,
    project: content.project ?? null,
    sentence: content.memory_sentence ?? '',
    summaryPath: links.summary_path,
    transcriptPath: links.transcript_path,
    compactionPath: links.compaction_path,
    manifestPath,
  }
}

function contentOf(links: ManifestLinks): string | null {
  return links.summary_path ?? links.compaction_path
}

function linksIn(row: ArtifactRow): ManifestLinks {
  return JSON.parse(row.links_json ?? '{"summary_path":null,"transcript_path":null,"compaction_path":null}') as ManifestLinks
}

/** The row that the file itself gives: as stored when its head is the one that was stored, else parsed. */
function rowOf(workspace: string, path: string, stored: ArtifactRow | undefined, now: number): ArtifactRow | undefined {
  if (path === '') return undefined
  const head = readRawHead(workspace, path)
  if (head === undefined) return undefined
  if (stored?.head_sha256 === head.sha256) return stored
  return artifactRow(parseHead(head, path), { path, headSha256: head.sha256, now })
}

async function knownRows(store: Store): Promise<Map<string, ArtifactRow>> {
  const rows = await store.read
    .selectFrom('artifacts')
    .selectAll()
    .where('source_kind', 'in', ['manifest', 'summary', 'compaction'])
    .execute()
  return new Map(rows.map((row) => [row.source_path, row]))
}
