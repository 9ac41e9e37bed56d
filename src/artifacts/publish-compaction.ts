/** The compaction flow: one immutable artifact a compaction, then the manifest, MEMORY.md and rows. Safe to repeat at any point. */
import { memorySentence, writeMemorySentence } from '../analyze/memory-sentence.ts'
import { sha256 } from '../core/hash.ts'
import { toIso } from '../core/time.ts'
import { compactionBody } from './compaction-body.ts'
import { type ContentFile, readContentHead, writeContent } from './content-file.ts'
import { findManifest } from './find-manifest.ts'
import type { ManifestFrontmatter } from './frontmatter-schema.ts'
import { journalKey, type Plan } from './journal.ts'
import { type LoadedSession, loadCompactions, loadSession, summarize } from './load-set.ts'
import { changeManifest, readManifest } from './manifest-file.ts'
import type { PublishContext, Published } from './publish-context.ts'
import { putRows } from './publish-session.ts'
import { runSteps } from './run-steps.ts'
import { sentenceIn } from './sentence-in.ts'
import { contentFrontmatter, type DatedSentence, type SetCompaction, setPath } from './session-set.ts'
import { sessionToken } from './session-token.ts'

const MODEL_MS = 30_000

/** Publishes every compaction of a session that has no artifact yet, the oldest first. */
export async function publishCompactions(context: PublishContext, sessionId: string): Promise<Published[]> {
  const loaded = await loadSession(context.store, sessionId)
  if (loaded === undefined || loaded.isSubagent) return []
  const published: Published[] = []
  for (const compaction of await loadCompactions(context.store, sessionId)) {
    const result = await publishOne(context, loaded, compaction)
    if (result !== undefined) published.push(result)
  }
  return published
}

async function publishOne(context: PublishContext, loaded: LoadedSession, compaction: SetCompaction): Promise<Published | undefined> {
  const { facts: session } = loaded
  const capturedAt = compaction.timestamp ?? loaded.capturedAt
  const token = sessionToken(session)
  const path = setPath({ session, capturedAt }, 'compaction')
  const manifest = await findManifest(context, { token, capturedAt })
  if (await isPublished(context, { path, manifest })) return undefined
  const text = compactionBody({ session, capturedAt, compactions: [compaction], paths: { manifest } })
  const file = (plan: Plan): ContentFile => ({
    path,
    fields: contentFrontmatter(
      { session, capturedAt, sentence: plan.sentence as DatedSentence },
      { kind: 'compaction', manifestPath: manifest, contentSha256: sha256(text) },
    ),
    body: () => [text],
  })
  const sentence = async (plan: Plan): Promise<Plan> => {
    const there = readContentHead(context.workspace, path)?.fields
    return { ...plan, sentence: plan.sentence ?? (there === undefined ? await writeSentence(context, loaded) : sentenceIn(there)) }
  }
  const key = journalKey('compaction', token, capturedAt)
  const row = {
    key,
    flow: 'compaction' as const,
    agent_id: session.agentId,
    session_id: session.sessionId,
    session_token: token,
    captured_at: capturedAt,
  }
  await runSteps(context, row, {
    sentence,
    compaction: async (plan) => void (await writeContent(context.workspace, file(await sentence(plan)))),
    manifest: async () => void (await pointManifest(context, loaded, { path, manifest, capturedAt })),
    projection: async () => void (await context.project(session.agentId)),
    rows: async () => void (await putRows(context, [path])),
  })
  return { session_id: session.sessionId, flow: 'compaction', status: 'published', paths: [path, manifest] }
}

/** There is a file, the manifest knows it, and nothing is under way. */
async function isPublished({ store, workspace }: PublishContext, { path, manifest }: { path: string; manifest: string }): Promise<boolean> {
  const row = await store.read.selectFrom('artifacts').select('source_path').where('source_path', '=', path).executeTakeFirst()
  const fields = row === undefined ? undefined : readManifest(workspace, manifest)
  return fields !== undefined && [fields, ...fields.previous].some((set) => set.compaction_path === path)
}

async function writeSentence({ store, clock, writer, signal }: PublishContext, loaded: LoadedSession): Promise<DatedSentence> {
  const { input } = await summarize(store, loaded)
  const limit = AbortSignal.timeout(MODEL_MS)
  const asked = { ...input, kind: 'compaction' as const }
  const made =
    writer === undefined
      ? memorySentence(asked)
      : await writeMemorySentence(asked, writer, signal ? AbortSignal.any([signal, limit]) : limit)
  return { text: made.text, version: made.version, quality: made.quality, generatedAt: clock() }
}

/** Points to the newest compaction; the one before it stays reachable as an earlier set. A manifest of a session that goes on has no summary. */
async function pointManifest(
  { store, workspace, clock }: PublishContext,
  { facts }: LoadedSession,
  { path, manifest, capturedAt }: { path: string; manifest: string; capturedAt: number },
): Promise<void> {
  await changeManifest({ store, workspace, now: clock() }, manifest, (current) => {
    if (current !== undefined && [current, ...current.previous].some((set) => set.compaction_path === path)) return undefined
    const before = current ?? {
      kind: 'manifest' as const,
      agent_id: facts.agentId,
      session_id: facts.sessionId,
      session_key: facts.sessionKey || null,
      project: readContentHead(workspace, path)?.fields.project ?? null,
      harness: facts.harness,
      captured_at: toIso(capturedAt),
      summary_path: null,
      transcript_path: null,
      compaction_path: null,
      previous: [],
      memory_md_refs: [],
    }
    const { revision: _, updated_at: __, ...rest } = before as ManifestFrontmatter
    if (rest.compaction_path === null) return { ...rest, compaction_path: path }
    const newer = rest.compaction_path > path ? rest.compaction_path : path
    const older = newer === path ? rest.compaction_path : path
    const earlier = { captured_at: toIso(capturedAt), summary_path: null, transcript_path: null, compaction_path: older }
    return { ...rest, compaction_path: newer, previous: [...rest.previous, earlier] }
  })
}
