/** The session-end flow, in the order that keeps the truth first: transcript, summary, manifest, MEMORY.md, rows. Safe to repeat at any point. */
import { MnemonicError } from '../../core/error.ts'
import { type ContentFile, isSound, soundHead, writeContent } from '../format/content-file.ts'
import { findManifest, nameManifest } from '../format/find-manifest.ts'
import type { ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { readManifest } from '../format/manifest-file.ts'
import { readHead } from '../format/read-head.ts'
import { sessionToken } from '../format/session-token.ts'
import { setMoment } from '../format/set-moment.ts'
import { artifactRow, mirrorArtifact, putArtifactRow } from './artifact-rows.ts'
import { checkMark, untilSettled } from './forgotten-meanwhile.ts'
import type { JournalKey, Plan } from './journal.ts'
import { type LoadedSession, loadSession, whyUnpublished } from './load-set.ts'
import { pointToSet } from './point-manifest.ts'
import type { PublishContext, Published } from './publish-context.ts'
import { runSteps, type Step } from './run-steps.ts'
import { sessionFiles } from './session-files.ts'

export async function publishSession(context: PublishContext, sessionId: string): Promise<Published> {
  return untilSettled(() => publishOnce(context, sessionId))
}

async function publishOnce(context: PublishContext, sessionId: string): Promise<Published> {
  const done = (status: Published['status'], more: Partial<Published> = {}): Published => ({
    ...{ session_id: sessionId, flow: 'session-end', status, paths: [] },
    ...more,
  })
  const found = await loadSession(context.store, sessionId)
  if (found === undefined) return done('skipped', { reason: await whyUnpublished(context.store, sessionId) })
  if (found.isSubagent) return done('skipped', { reason: 'it belongs to the session that started it' })
  const loaded = { ...found, capturedAt: setMoment(context.workspace, found) }
  if (await isPublished(context, loaded)) return done('unchanged')
  const written: string[] = []
  const plan = await runSteps(context, journalRow(loaded), {
    manifest: (tx) => nameManifest({ db: tx.db, workspace: context.workspace }, loaded.facts, loaded.capturedAt),
    steps: stepsOf(context, loaded, written),
  })
  if (plan === undefined) return done('skipped', { reason: 'another process published it, or is at it' })
  return done('published', { paths: [...written, plan.manifest] })
}

function journalRow({ facts, capturedAt }: LoadedSession): JournalKey {
  return {
    flow: 'session-end',
    agent_id: facts.agentId,
    session_id: facts.sessionId,
    session_token: sessionToken(facts),
    captured_at: capturedAt,
  }
}

function stepsOf(context: PublishContext, loaded: LoadedSession, written: string[]): Record<string, Step> {
  const files = sessionFiles(context, loaded)
  const write = async (kind: 'transcript' | 'summary', plan: Plan) => {
    const file = await files[kind](plan)
    if ((await writeOnce(context, loaded, file)) === 'written') written.push(file.path)
  }
  return {
    sanitize: async (plan) => void (await files.sanitize(plan)),
    sentence: (plan) => files.sentence(plan),
    transcript: async (plan) => void (await write('transcript', plan)),
    summary: async (plan) => void (await write('summary', plan)),
    manifest: async ({ manifest }) => void (await pointToSet(context, loaded, manifest)),
    projection: async () => void (await context.project(loaded.facts.agentId)),
    rows: async () => void (await putRows(context, [files.transcriptPath, files.summaryPath])),
  }
}

/**
 * Writes a file of a publication. One that an earlier attempt wrote stays, also where the ledger tells the same moment otherwise by now (the
 * session has another title): it is immutable, and its text is its own.
 */
export async function writeOnce(context: PublishContext, loaded: LoadedSession, file: ContentFile): Promise<'written' | 'there'> {
  try {
    return await writeContent(context.workspace, file, whileItHolds(context, loaded))
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR' || !(await isOfSet(context, file))) throw error
    return 'there'
  }
}

async function isOfSet({ store, workspace, tombstones }: PublishContext, { path, fields }: ContentFile): Promise<boolean> {
  const there = soundHead(workspace, path)
  if (there?.session_id !== fields.session_id || there.manifest_path !== fields.manifest_path) return false
  if ((await tombstones({ db: store.read }))?.holds('artifact', there.content_sha256)) return false
  return isSound(workspace, path)
}

/** A file takes its name only while the ledger still holds what it was made from. */
export function whileItHolds({ store }: PublishContext, { facts, mark }: LoadedSession): (place: () => void) => Promise<void> {
  return (place) =>
    store.write(async (tx) => {
      await checkMark(tx, facts.sessionId, mark)
      place()
    })
}

/**
 * Its manifest points to this set, or a newer one, and nothing is under way. Where only rows are missing (the database is younger than
 * the files) they are made again from the files, once their checksums agree.
 */
async function isPublished(context: PublishContext, loaded: LoadedSession): Promise<boolean> {
  const { store, workspace } = context
  const { sessionId } = loaded.facts
  const open = await store.read.selectFrom('artifact_journal').select('key').where('session_id', '=', sessionId).executeTakeFirst()
  const path = open === undefined ? await findManifest({ db: store.read, workspace }, loaded.facts) : undefined
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  if (path === undefined || manifest === undefined || manifest.summary_path === null) return false
  if (Date.parse(manifest.captured_at) < loaded.capturedAt) return false
  const rows = await store.read
    .selectFrom('artifacts')
    .select('source_path')
    .where('source_path', 'in', [path, manifest.summary_path, manifest.transcript_path ?? ''])
    .execute()
  return rows.length === 3 || takeUp(context, loaded, { path, manifest })
}

async function takeUp(
  context: PublishContext,
  { facts }: LoadedSession,
  { path, manifest }: { path: string; manifest: ManifestFrontmatter },
): Promise<boolean> {
  const { summary_path, transcript_path } = manifest
  const tombstones = await context.tombstones({ db: context.store.read })
  for (const file of [summary_path, transcript_path]) {
    const head = file === null ? undefined : soundHead(context.workspace, file)
    if (head === undefined || tombstones?.holds('artifact', head.content_sha256)) return false
    if (!(await isSound(context.workspace, file))) return false
  }
  await putRows(context, [summary_path, transcript_path, path] as string[])
  await context.project(facts.agentId)
  return true
}

/** Rows of files as they stand on disk. */
export async function putRows({ store, workspace, clock }: PublishContext, paths: readonly string[]): Promise<void> {
  const now = clock()
  await store.write(async (tx) => {
    for (const path of paths) {
      const head = readHead(workspace, path)
      if (head === undefined) continue
      await putArtifactRow(tx, artifactRow(head.fields, { path, headSha256: head.sha256, now }))
      await mirrorArtifact(tx, { workspace, path }, head.fields)
    }
  })
}
