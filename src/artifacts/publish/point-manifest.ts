/** Every change starts from the manifest's current state. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toIso } from '../../core/time.ts'
import { nameIn, parseArtifactPath } from '../format/artifact-name.ts'
import { NO_PATHS, pathsOf } from '../format/frontmatter.ts'
import type { ManifestFrontmatter, PreviousSet } from '../format/frontmatter-schema.ts'
import { placeOf } from '../format/place-of.ts'
import { readContentHead } from '../format/read-artifact.ts'
import { setPath } from '../format/session-set.ts'
import { checkMark } from './forgotten-meanwhile.ts'
import { abandonedSets } from './journal.ts'
import type { LoadedSession } from './load-set.ts'
import { changeManifest } from './manifest-file.ts'
import type { PublishContext } from './publish-context.ts'

export async function pointToSet(context: PublishContext, loaded: LoadedSession, manifest: string): Promise<void> {
  const set = { session: loaded.facts, capturedAt: loaded.capturedAt }
  const [summary, transcript] = [setPath(set, 'summary'), placeOf(context.workspace, setPath(set, 'transcript'))]
  const others = await otherSets(context, loaded)
  await changeManifest(manifestContext(context, loaded), manifest, (current) => {
    const newer = current?.summary_path && Date.parse(current.captured_at) > loaded.capturedAt
    if (current?.summary_path === summary || newer) return undefined
    const before = current ?? blank(context, loaded, summary)
    const earlier = before.summary_path === null ? [] : [{ ...setOf(before), compaction_path: null }]
    // A lost manifest again points to the newest files: an accepted edit is newer than the ledger.
    const own = { ...NO_PATHS, captured_at: toIso(loaded.capturedAt), summary_path: summary, transcript_path: transcript }
    const [summary_path, transcript_path] = before.summary_path === null ? newestOf([...others, own]) : [summary, transcript]
    const captured_at = [timeOf(summary_path), timeOf(transcript_path)].sort().at(-1) as string
    const shown = [summary_path, transcript_path, before.compaction_path]
    const previous = withSets(withSets([...earlier, ...before.previous], others, shown), [own], shown)
    return { ...before, captured_at, summary_path, transcript_path, previous }
  })
}

function newestOf(sets: readonly PreviousSet[]): [string, string] {
  const last = (paths: readonly (string | null)[]) =>
    paths.map((path) => path ?? '').sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))[paths.length - 1] as string
  return [last(sets.map((set) => set.summary_path)), last(sets.map((set) => set.transcript_path))]
}

/** Before the session ends there is no summary. */
export async function pointToCompaction(
  context: PublishContext,
  loaded: LoadedSession,
  { path, manifest }: { path: string; manifest: string },
): Promise<void> {
  await changeManifest(manifestContext(context, loaded), manifest, (current) => {
    if (current !== undefined && [current, ...current.previous].some((set) => set.compaction_path === path)) return undefined
    const before = current ?? { ...blank(context, loaded, path), captured_at: timeOf(path) }
    const [newest, older] = [before.compaction_path ?? '', path].sort().reverse() as [string, string]
    if (older === '') return { ...before, compaction_path: newest }
    const earlier = { ...NO_PATHS, captured_at: timeOf(older), compaction_path: older }
    return { ...before, compaction_path: newest, previous: withSets(before.previous, [earlier]) }
  })
}

function manifestContext({ store, workspace, clock }: PublishContext, { facts, mark }: LoadedSession) {
  return { store, workspace, now: clock(), guard: (tx: Parameters<typeof checkMark>[0]) => checkMark(tx, facts.sessionId, mark) }
}

type Draft = Omit<ManifestFrontmatter, 'revision' | 'updated_at'>

function blank({ workspace }: PublishContext, { facts, capturedAt }: LoadedSession, content: string): Draft {
  return {
    kind: 'manifest',
    agent_id: facts.agentId,
    session_id: facts.sessionId,
    session_key: facts.sessionKey || null,
    project: readContentHead(workspace, content)?.fields.project ?? null,
    harness: facts.harness,
    captured_at: toIso(capturedAt),
    ...NO_PATHS,
    previous: [],
    memory_md_refs: [],
  }
}

/** Includes abandoned publications. Restores a lost manifest's history. */
async function otherSets({ store, workspace }: PublishContext, { facts, capturedAt }: LoadedSession): Promise<PreviousSet[]> {
  const rows = await store.read
    .selectFrom('artifacts')
    .select(['captured_at', 'source_path', 'source_kind'])
    .where('agent_id', '=', facts.agentId)
    .where('session_id', '=', facts.sessionId)
    .execute()
  const given = await abandonedSets(store, { session_id: facts.sessionId, captured_at: capturedAt })
  const of = (time: number, kind: 'summary' | 'transcript') => {
    const path = placeOf(workspace, setPath({ session: facts, capturedAt: time }, kind))
    return existsSync(join(workspace, path)) ? path : null
  }
  const sets = new Map<number, PreviousSet>()
  for (const time of given) {
    sets.set(time, { ...NO_PATHS, captured_at: toIso(time), summary_path: of(time, 'summary'), transcript_path: of(time, 'transcript') })
  }
  for (const { captured_at: time, source_path, source_kind } of rows) {
    if (source_kind === 'manifest' || !existsSync(join(workspace, source_path))) continue
    const set = sets.get(time) ?? { ...NO_PATHS, captured_at: toIso(time) }
    sets.set(time, { ...set, [`${source_kind}_path`]: source_path })
  }
  return [...sets.values()]
}

/** Adds only paths that no set contains. Newest first. */
export function withSets(
  sets: readonly PreviousSet[],
  others: readonly PreviousSet[],
  current: readonly (string | null)[] = [],
): PreviousSet[] {
  const named = new Set([...current, ...sets.flatMap(pathsOf)])
  const fresh = (path: string | null) => (path === null || named.has(path) ? null : path)
  const added = others
    .map((set) => ({
      captured_at: set.captured_at,
      summary_path: fresh(set.summary_path),
      transcript_path: fresh(set.transcript_path),
      compaction_path: fresh(set.compaction_path),
    }))
    .filter((set) => pathsOf(set).length > 0)
  return [...sets, ...added].sort((a, b) => (a.captured_at < b.captured_at ? 1 : a.captured_at > b.captured_at ? -1 : 0))
}

function setOf({ captured_at, summary_path, transcript_path, compaction_path }: Draft): PreviousSet {
  return { captured_at, summary_path, transcript_path, compaction_path }
}

export function timeOf(path: string): string {
  return toIso(parseArtifactPath(path)?.capturedAt ?? 0)
}
