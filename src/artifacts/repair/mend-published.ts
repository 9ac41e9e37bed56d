import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../../core/atomic-file.ts'
import { ARTIFACT_FOLDER, parseArtifactPath } from '../format/artifact-name.ts'
import { isManifest, NO_PATHS, pathsOf } from '../format/frontmatter.ts'
import type { ContentFrontmatter, ManifestFrontmatter, PreviousSet } from '../format/frontmatter-schema.ts'
import { agentOfList } from '../format/memory-paths.ts'
import { changeManifest } from '../publish/manifest-file.ts'
import { withSets } from '../publish/point-manifest.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import { type ProjectionContext, type Rendered, renderMemory } from '../render/projection.ts'
import { forgottenIn, notesOf, strayForgotten } from './check-published.ts'
import { putAside } from './put-aside.ts'
import { listsOfForgotten } from './put-back.ts'
import { type CheckedArtifact, verifyArtifacts } from './verify.ts'

export interface RemovedFiles {
  readonly paths: readonly string[]
  /** A removed file may have replaced a published one. */
  readonly sessions: readonly string[]
}

export async function removeForgottenFiles(context: PublishContext): Promise<RemovedFiles> {
  const { store, workspace } = context
  const isForgotten = await forgottenIn(context)
  const ids = new Set<string>()
  const { problems } = await verifyArtifacts(workspace, {
    bodies: false,
    async isForgotten(file) {
      const forgotten = await isForgotten(file)
      if (forgotten && 'fields' in file) ids.add(file.fields.session_id)
      return forgotten
    },
  })
  const forgotten = problems.filter(({ kind }) => kind === 'forgotten').map(({ path }) => path)
  const paths = [...forgotten, ...notesOf(workspace, problems), ...(await strayForgotten(context))]
  if (paths.length === 0) return { paths, sessions: [] }
  await store.write(async (tx) => {
    await tx.db.deleteFrom('artifacts').where('source_path', 'in', paths).execute()
    await tx.db.deleteFrom('documents').where('path', 'in', paths).execute()
  })
  for (const path of paths) rmSync(join(workspace, path), { force: true })
  syncFolder(join(workspace, ARTIFACT_FOLDER))
  const staying = await store.read
    .selectFrom('agent_sessions')
    .select('id')
    .where('id', 'in', [...ids, ''])
    .execute()
  return { paths, sessions: staying.map(({ id }) => id) }
}

interface Content extends CheckedArtifact {
  readonly fields: ContentFrontmatter
}

/** Rebuilds manifests that are missing, unreadable or link to `gone`. Keeps unreadable ones beside. */
export async function writeLostManifests(context: PublishContext, gone: readonly string[]): Promise<string[]> {
  const { store, workspace, clock } = context
  const { sound } = await verifyArtifacts(workspace, { bodies: false })
  const manifests = new Map(sound.flatMap(({ path, fields }) => (isManifest(fields) ? [[path, fields] as const] : [])))
  const removed = new Set(gone)
  const written: string[] = []
  for (const [path, contents] of byManifest(sound)) {
    const there = manifests.get(path)
    const leadsAstray = there !== undefined && [there, ...there.previous].flatMap(pathsOf).some((target) => removed.has(target))
    if (there !== undefined && !leadsAstray) continue
    const made = manifestOf(contents, there)
    if (there === undefined) putAside(context, path)
    await changeManifest({ store, workspace, now: clock() }, path, (current) => (current?.revision === there?.revision ? made : undefined))
    written.push(path)
  }
  return [...written, ...removeEmptied(workspace, { manifests, removed, kept: new Set(written) })]
}

/** A manifest without files describes only forgotten data. */
function removeEmptied(
  workspace: string,
  {
    manifests,
    removed,
    kept,
  }: { manifests: ReadonlyMap<string, ManifestFrontmatter>; removed: ReadonlySet<string>; kept: ReadonlySet<string> },
): string[] {
  return [...manifests].flatMap(([path, fields]) => {
    const targets = [fields, ...fields.previous].flatMap(pathsOf)
    if (kept.has(path) || targets.length === 0 || !targets.every((target) => removed.has(target))) return []
    rmSync(join(workspace, path), { force: true })
    return [path]
  })
}

function byManifest(sound: readonly CheckedArtifact[]): Map<string, Content[]> {
  const found = new Map<string, Content[]>()
  for (const { path, fields, headSha256 } of sound) {
    if (isManifest(fields)) continue
    found.set(fields.manifest_path, [...(found.get(fields.manifest_path) ?? []), { path, fields, headSha256 }])
  }
  return found
}

function manifestOf(
  contents: readonly Content[],
  there: ManifestFrontmatter | undefined,
): Omit<ManifestFrontmatter, 'revision' | 'updated_at'> {
  const ordered = [...contents].sort((a, b) => (a.fields.captured_at < b.fields.captured_at ? -1 : 1))
  const newest = (kind: string) => ordered.findLast(({ path }) => parseArtifactPath(path)?.kind === kind)
  const { agent_id, session_id, session_key, project, harness } = (ordered.at(-1) as Content).fields
  const [summary, transcript, compaction] = ['summary', 'transcript', 'compaction'].map(newest)
  const shown = {
    summary_path: summary?.path ?? null,
    transcript_path: transcript?.path ?? null,
    compaction_path: compaction?.path ?? null,
  }
  const times = [summary ?? compaction, transcript].flatMap((one) => (one === undefined ? [] : [one.fields.captured_at]))
  return {
    ...{ kind: 'manifest', agent_id, session_id, session_key, project, harness },
    captured_at: times.sort().at(-1) as string,
    ...shown,
    previous: withSets([], setsOf(ordered), pathsOf(shown)),
    memory_md_refs: there?.memory_md_refs ?? [],
  }
}

function setsOf(contents: readonly Content[]): PreviousSet[] {
  const sets = new Map<string, PreviousSet>()
  for (const { path, fields } of contents) {
    const set = sets.get(fields.captured_at) ?? { ...NO_PATHS, captured_at: fields.captured_at }
    sets.set(fields.captured_at, { ...set, [`${fields.kind}_path`]: path })
  }
  return [...sets.values()]
}

/** A list of forgotten files may outlive the agent's own. */
export async function renderStaleLists(context: ProjectionContext): Promise<Rendered[]> {
  const agents = new Set((await listsOfForgotten(context.store, context.workspace)).map(agentOfList))
  const rendered: Rendered[] = []
  for (const agent of agents) rendered.push(await renderMemory(context, agent, { force: true }))
  return rendered
}
