/** Crash-safe order: copy, manifest, row, placeholder. Each step is idempotent. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isExisting, writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { ARTIFACT_FOLDER, archivedPath, parseArtifactPath, publishedPath } from '../format/artifact-name.ts'
import { isForgotten } from '../format/forgotten-file.ts'
import { membershipTime, pathsOf } from '../format/frontmatter.ts'
import type { ContentFrontmatter, ManifestFrontmatter, SetPaths } from '../format/frontmatter-schema.ts'
import { movedText } from '../format/place-of.ts'
import { artifactPaths } from '../format/published-files.ts'
import { isSound, readContentHead, readManifest } from '../format/read-artifact.ts'
import { putRowOf } from '../publish/artifact-rows.ts'
import { openPublications } from '../publish/journal.ts'
import { changeManifest } from '../publish/manifest-file.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import { windowStart } from '../render/ledger-row.ts'

export interface ArchiveOptions {
  /** Milliseconds UTC; never overrides the window. */
  readonly before?: number
  readonly dryRun?: boolean
}

export interface ArchiveReport {
  /** ISO: the cutoff. */
  readonly before: string
  readonly dry_run: boolean
  readonly archived: readonly ArchivedTranscript[]
  readonly bytes: number
  readonly failed: readonly { readonly path: string; readonly error: string }[]
}

export interface ArchivedTranscript {
  readonly session_id: string
  /** Relative to the workspace root. */
  readonly from: string
  readonly path: string
}

interface Transcript {
  readonly from: string
  readonly path: string
  readonly fields: ContentFrontmatter
}

export async function archiveTranscripts(
  context: PublishContext,
  agentId: string | undefined,
  { before = Number.POSITIVE_INFINITY, dryRun = false }: ArchiveOptions = {},
): Promise<ArchiveReport> {
  const limit = Math.min(before, windowStart(context.clock()))
  const underWay = new Set((await openPublications(context.store, agentId)).map(({ session_id }) => session_id))
  const archived: ArchivedTranscript[] = []
  const failed: { path: string; error: string }[] = []
  const agents = new Set<string>()
  let bytes = 0
  for (const from of transcriptsBefore(context.workspace, limit)) {
    await pauseToStop(context.signal, 'archiving')
    try {
      const transcript = leftWindow(context.workspace, from, limit)
      if (transcript === undefined || (agentId !== undefined && transcript.fields.agent_id !== agentId)) continue
      if (underWay.has(transcript.fields.session_id)) continue
      const size = statSync(join(context.workspace, from)).size
      await checkSound(context, transcript)
      if (!dryRun && !(await move(context, transcript))) continue
      bytes += size
      agents.add(transcript.fields.agent_id)
      archived.push({ session_id: transcript.fields.session_id, from, path: transcript.path })
    } catch (error) {
      if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR') throw error
      failed.push({ path: from, error: error.message })
    }
  }
  // If the window is empty, the lists show older sessions.
  if (!dryRun) for (const agent of agents) await context.project(agent)
  return { before: new Date(limit).toISOString(), dry_run: dryRun, archived, bytes, failed }
}

/** A crash may have left only the copy. */
function transcriptsBefore(workspace: string, limit: number): string[] {
  return artifactPaths(workspace).filter((path) => {
    const name = parseArtifactPath(path)
    return path === publishedPath(path) && name?.kind === 'transcript' && name.capturedAt < limit
  })
}

/** Undefined if the session is in the window, even for an older set. */
function leftWindow(workspace: string, from: string, limit: number): Transcript | undefined {
  const fields = readContentHead(workspace, from)?.fields
  if (fields === undefined) return undefined
  const manifest = readManifest(workspace, fields.manifest_path)
  const path = archivedPath(from)
  if (manifest === undefined) throw notArchived(from, `its manifest ${fields.manifest_path} is not there`)
  if (![manifest, ...manifest.previous].flatMap(pathsOf).some((one) => one === from || one === path)) {
    throw notArchived(from, 'its manifest does not list it')
  }
  const shown = manifest.summary_path ?? manifest.compaction_path
  const content = shown === null ? fields : (readContentHead(workspace, shown)?.fields ?? fields)
  return Date.parse(membershipTime(content)) < limit ? { from, path, fields } : undefined
}

async function checkSound({ workspace }: PublishContext, { from, path, fields }: Transcript): Promise<void> {
  if (!(await isSound(workspace, from))) throw notArchived(from, 'its text is not the one its checksum was made of')
  if (!existsSync(join(workspace, path))) return
  const same = readContentHead(workspace, path)?.fields.content_sha256 === fields.content_sha256
  if (!same || !(await isSound(workspace, path))) throw notArchived(from, `${path} is there already with other content`)
}

/** False if it was forgotten or moved meanwhile. */
async function move(context: PublishContext, transcript: Transcript): Promise<boolean> {
  const { store, workspace, clock, onStep } = context
  const { from, path, fields } = transcript
  await onStep?.('copy')
  if (!(await copy(context, transcript))) return false
  await onStep?.('manifest')
  await changeManifest({ store, workspace, now: clock() }, fields.manifest_path, (current) => pointed(current, { from, path }))
  await onStep?.('row')
  await store.write(async (tx) => {
    if (!existsSync(join(workspace, path))) return
    await tx.db.deleteFrom('artifacts').where('source_path', '=', from).execute()
    await putRowOf(tx, { workspace, now: clock() }, path)
  })
  await onStep?.('remove')
  await leaveNote(context, transcript)
  await onStep?.('end')
  return true
}

/** Works under the write lock and only if the copy exists: no placeholder for forgotten data. */
async function leaveNote({ store, workspace }: PublishContext, { from, path }: Transcript): Promise<void> {
  await writeAtomic(join(workspace, from), [movedText(path)], {
    commit: (rename) =>
      store.write(async () => {
        if (existsSync(join(workspace, path)) && existsSync(join(workspace, from))) rename()
      }),
  })
}

/** Works under the write lock while the original exists, so that a forget finds both. */
async function copy({ store, workspace, tombstones }: PublishContext, { from, path, fields }: Transcript): Promise<boolean> {
  if (existsSync(join(workspace, path))) return true
  let holds = false
  const commit = (rename: () => void) =>
    store.write(async (tx) => {
      holds = existsSync(join(workspace, from)) && !(await isForgotten(tx.db, { path: from, fields }, await tombstones(tx)))
      if (holds) rename()
    })
  try {
    await writeAtomic(join(workspace, path), createReadStream(join(workspace, from)), { exclusive: true, commit })
  } catch (error) {
    if (isExisting(error)) return true
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !existsSync(join(workspace, from))) return false
    throw error
  }
  return holds
}

type Draft = Omit<ManifestFrontmatter, 'revision' | 'updated_at'>

function pointed(current: ManifestFrontmatter | undefined, { from, path }: { from: string; path: string }): Draft | undefined {
  if (current === undefined || ![current, ...current.previous].some((set) => set.transcript_path === from)) return undefined
  const moved = <T extends SetPaths>(set: T): T => (set.transcript_path === from ? { ...set, transcript_path: path } : set)
  return { ...moved(current), previous: current.previous.map(moved) }
}

function notArchived(path: string, why: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `${path} is not archived: ${why}`, {
    details: { file: path },
    hint: `See mnemonic memory verify. Transcripts stay in ${ARTIFACT_FOLDER}/ until they are sound.`,
  })
}
