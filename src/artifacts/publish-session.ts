/** The session-end flow, in the order that keeps the truth first: transcript, summary, manifest, MEMORY.md, rows. Safe to repeat at any point. */
import { memorySentence, type SentenceInput, writeMemorySentence } from '../analyze/memory-sentence.ts'
import { recordRun } from '../analyze/record-run.ts'
import type { SessionSummary } from '../analyze/session-summary.ts'
import { sha256 } from '../core/hash.ts'
import { toIso } from '../core/time.ts'
import { ensureSessionEpisode } from '../episodes/agent-session.ts'
import { artifactRow, putArtifactRow } from './artifact-rows.ts'
import { contentSha256Of, normalizedPieces } from './body-normalized.ts'
import { type ContentFile, readContentHead, writeContent } from './content-file.ts'
import { findManifest } from './find-manifest.ts'
import type { ManifestFrontmatter } from './frontmatter-schema.ts'
import { journalKey, type Plan } from './journal.ts'
import { type LoadedSession, loadSession, summarize } from './load-set.ts'
import { changeManifest, readManifest } from './manifest-file.ts'
import type { PublishContext, Published } from './publish-context.ts'
import { runSteps } from './run-steps.ts'
import { sentenceIn } from './sentence-in.ts'
import { contentFrontmatter, type DatedSentence, setPath } from './session-set.ts'
import { sessionToken } from './session-token.ts'
import { summaryBody } from './summary-body.ts'
import { transcriptBody } from './transcript-body.ts'

const MODEL_MS = 30_000

interface SetPaths {
  readonly summary: string
  readonly transcript: string
  readonly manifest: string
}

/** `again`: writes what is missing of a set that was published before. */
export async function publishSession(context: PublishContext, sessionId: string, { again = false } = {}): Promise<Published> {
  const done = (status: Published['status'], more: Partial<Published> = {}): Published => ({
    ...{ session_id: sessionId, flow: 'session-end', status, paths: [] },
    ...more,
  })
  const loaded = await loadSession(context.store, sessionId)
  if (loaded === undefined) return done('skipped', { reason: 'nothing was said in it' })
  if (loaded.isSubagent) return done('skipped', { reason: 'it belongs to the session that started it' })
  const paths = await pathsOf(context, loaded)
  if (!again && (await isPublished(context, loaded, paths))) return done('unchanged')
  const { facts, capturedAt } = loaded
  const token = sessionToken(facts)
  const written: string[] = []
  const key = journalKey('session-end', token, capturedAt)
  const row = {
    key,
    flow: 'session-end' as const,
    agent_id: facts.agentId,
    session_id: sessionId,
    session_token: token,
    captured_at: capturedAt,
  }
  const files = contentFiles(context, loaded, paths)
  const write = async (file: ContentFile) => {
    if ((await writeContent(context.workspace, file)) === 'written') written.push(file.path)
  }
  await runSteps(context, row, {
    sanitize: async () => void (await files.sanitize()),
    sentence: (plan) => files.sentence(plan),
    transcript: async (plan) => void (await write(await files.transcript(plan))),
    summary: async (plan) => void (await write(await files.summary(plan))),
    manifest: async () => void (await pointManifest(context, loaded, paths)),
    projection: async () => void (await context.project(facts.agentId)),
    rows: async () => void (await putRows(context, [paths.transcript, paths.summary])),
  })
  return done('published', { paths: [...written, paths.manifest] })
}

async function pathsOf(context: PublishContext, { facts: session, capturedAt }: LoadedSession): Promise<SetPaths> {
  const manifest = await findManifest(context, { token: sessionToken(session), capturedAt })
  const of = (kind: 'summary' | 'transcript') => setPath({ session, capturedAt }, kind)
  return { summary: of('summary'), transcript: of('transcript'), manifest }
}

/** Its manifest points to this set, or a newer one, and nothing is under way. */
async function isPublished({ store, workspace }: PublishContext, loaded: LoadedSession, paths: SetPaths): Promise<boolean> {
  const open = await store.read
    .selectFrom('artifact_journal')
    .select('key')
    .where('session_id', '=', loaded.facts.sessionId)
    .executeTakeFirst()
  const manifest = open === undefined ? readManifest(workspace, paths.manifest) : undefined
  if (manifest === undefined || manifest.summary_path === null) return false
  const rows = await store.read
    .selectFrom('artifacts')
    .select('source_path')
    .where('source_path', 'in', [manifest.summary_path, manifest.transcript_path ?? ''])
    .execute()
  return Date.parse(manifest.captured_at) >= loaded.capturedAt && rows.length === 2
}

/** The two files of a set, made when they are needed: what one step worked out, a later process works out again. */
function contentFiles(context: PublishContext, loaded: LoadedSession, paths: SetPaths) {
  const { facts: session, capturedAt } = loaded
  let transcriptSum: string | undefined
  let summarized: { summary: SessionSummary; input: SentenceInput } | undefined
  const body = () => normalizedPieces(transcriptBody({ session, capturedAt, messages: loaded.messages(), paths }))

  async function sanitize(): Promise<string> {
    transcriptSum ??= await contentSha256Of(body())
    return transcriptSum
  }
  async function summary() {
    summarized ??= await summarize(context.store, loaded)
    return summarized
  }
  async function sentenceOf(plan: Plan): Promise<DatedSentence> {
    return plan.sentence ?? ((await sentence(plan)).sentence as DatedSentence)
  }
  async function sentence(plan: Plan): Promise<Plan> {
    if (plan.sentence !== undefined) return plan
    // A file that an earlier process wrote, and whose journal is gone, has decided it.
    const there = (readContentHead(context.workspace, paths.transcript) ?? readContentHead(context.workspace, paths.summary))?.fields
    const made = there === undefined ? await writeSentence(context, loaded, await summary()) : sentenceIn(there)
    return { ...plan, sentence: made }
  }
  const headOf = async (kind: 'summary' | 'transcript', contentSha256: string, plan: Plan) =>
    contentFrontmatter({ session, capturedAt, sentence: await sentenceOf(plan) }, { kind, manifestPath: paths.manifest, contentSha256 })
  return {
    sanitize,
    sentence,
    transcript: async (plan: Plan): Promise<ContentFile> => ({
      path: paths.transcript,
      fields: await headOf('transcript', await sanitize(), plan),
      body,
    }),
    async summary(plan: Plan): Promise<ContentFile> {
      const text = summaryBody({ session, capturedAt, sentence: await sentenceOf(plan), summary: (await summary()).summary, paths })
      return { path: paths.summary, fields: await headOf('summary', sha256(text), plan), body: () => [text] }
    },
  }
}

/** The sentence, by the writer where there is one; both analyses are kept as runs of the session's episode. */
async function writeSentence(
  { store, clock, writer, signal }: PublishContext,
  { facts, capturedAt }: LoadedSession,
  { summary, input }: { summary: SessionSummary; input: SentenceInput },
): Promise<DatedSentence> {
  const limit = AbortSignal.timeout(MODEL_MS)
  const sentence =
    writer === undefined
      ? memorySentence(input)
      : await writeMemorySentence(input, writer, signal ? AbortSignal.any([signal, limit]) : limit)
  const generatedAt = clock()
  await store.write(async (tx) => {
    const episode = await ensureSessionEpisode(tx, facts.sessionId, clock)
    if (episode === undefined) return
    const of = { episode, agentId: facts.agentId, contentHash: sha256(`${facts.sessionId}\n${capturedAt}`), now: generatedAt }
    await recordRun(tx, { ...of, type: 'session_summary', version: '1', output: summary, implementation: 'rules' })
    await recordRun(tx, { ...of, type: 'memory_sentence_v1', version: '1', output: sentence, implementation: sentence.implementation })
  })
  return { text: sentence.text, version: sentence.version, quality: sentence.quality, generatedAt }
}

/** Makes the manifest point to this set; the set it pointed to before is kept as an earlier one. */
async function pointManifest(
  { store, workspace, clock }: PublishContext,
  { facts, capturedAt }: LoadedSession,
  paths: SetPaths,
): Promise<void> {
  await changeManifest({ store, workspace, now: clock() }, paths.manifest, (current) => {
    if (current?.summary_path === paths.summary || (current?.summary_path && Date.parse(current.captured_at) > capturedAt)) return undefined
    return {
      kind: 'manifest',
      agent_id: facts.agentId,
      session_id: facts.sessionId,
      session_key: facts.sessionKey || null,
      project: readContentHead(workspace, paths.summary)?.fields.project ?? null,
      harness: facts.harness,
      captured_at: toIso(capturedAt),
      summary_path: paths.summary,
      transcript_path: paths.transcript,
      compaction_path: current?.compaction_path ?? null,
      previous: current?.summary_path ? [earlier(current), ...current.previous] : (current?.previous ?? []),
      memory_md_refs: current?.memory_md_refs ?? [],
    }
  })
}

function earlier({ captured_at, summary_path, transcript_path }: ManifestFrontmatter): ManifestFrontmatter['previous'][number] {
  return { captured_at, summary_path, transcript_path, compaction_path: null }
}

/** Rows of files as they stand on disk. */
export async function putRows({ store, workspace, clock }: PublishContext, paths: readonly string[]): Promise<void> {
  const now = clock()
  const rows = paths.flatMap((path) => {
    const head = readContentHead(workspace, path)
    return head === undefined ? [] : [artifactRow(head.fields, { path, headSha256: head.sha256, now })]
  })
  await store.write(async (tx) => {
    for (const row of rows) await putArtifactRow(tx, row)
  })
}
