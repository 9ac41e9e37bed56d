/** Crash-safe order: transcript, summary, manifest, MEMORY.md, rows. Each step is idempotent. */
import type { ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { findManifest, nameManifest } from '../format/open-session.ts'
import { isSound, readManifest, soundHead } from '../format/read-artifact.ts'
import { putRows, writeOnce } from './content-file.ts'
import { untilSettled } from './forgotten-meanwhile.ts'
import { journalRow, type Plan } from './journal.ts'
import { type LoadedSession, loadSession, whyUnpublished } from './load-set.ts'
import { nextRevision } from './next-revision.ts'
import { pointToSet } from './point-manifest.ts'
import type { Publication, PublishContext, Published } from './publish-context.ts'
import { runSteps, type Steps } from './run-steps.ts'
import { setFiles, setMoment } from './set-files.ts'

export interface SessionOptions {
  /** Adds a set if the published one would differ now. */
  readonly again?: boolean
}

export async function publishSession(context: PublishContext, sessionId: string, options: SessionOptions = {}): Promise<Publication> {
  return untilSettled(() => publishOnce(context, sessionId, options))
}

async function publishOnce(context: PublishContext, sessionId: string, { again = false }: SessionOptions): Promise<Publication> {
  const done = (status: Published['status'], more: Partial<Published> = {}): Published => ({
    ...{ session_id: sessionId, flow: 'session-end', status, paths: [] },
    ...more,
  })
  const skipped = (reason: string): Publication => ({ renders: undefined, finish: async () => done('skipped', { reason }) })
  const elsewhere = 'another process published it, or is at it'
  const found = await loadSession(context.store, sessionId, context.signal)
  if (found === undefined) return skipped(await whyUnpublished(context.store, sessionId))
  if (found.isSubagent) return skipped('it belongs to the session that started it')
  const first = { ...found, capturedAt: setMoment(context.workspace, found) }
  const { agentId } = first.facts
  const begun = await latestBegun(context, first)
  const next = begun === undefined && again ? await nextRevision(context, first) : undefined
  const loaded = { ...first, capturedAt: begun ?? next ?? first.capturedAt }
  const before = await publishedBefore(context, loaded)
  if (before !== undefined) return { renders: before === 'taken up' ? agentId : undefined, finish: async () => done('unchanged') }
  const paths: string[] = []
  const written = await runSteps(context, journalRow('session-end', loaded.facts, loaded.capturedAt), {
    manifest: (tx) => nameManifest({ db: tx.db, workspace: context.workspace }, loaded.facts, loaded.capturedAt),
    ...stepsOf(context, loaded, paths),
  })
  if (written === undefined) return skipped(elsewhere)
  return {
    renders: written.unrendered ? agentId : undefined,
    async finish() {
      const plan = await written.finish()
      return plan === undefined ? done('skipped', { reason: elsewhere }) : done('published', { paths: [...paths, plan.manifest] })
    },
  }
}

/** An unfinished later set must be finished first. */
async function latestBegun({ store }: PublishContext, { facts, capturedAt }: LoadedSession): Promise<number | undefined> {
  const row = await store.read
    .selectFrom('artifact_journal')
    .select((eb) => eb.fn.max('captured_at').as('last'))
    .where('session_id', '=', facts.sessionId)
    .where('flow', '=', 'session-end')
    .where('captured_at', '>', capturedAt)
    .executeTakeFirst()
  return row?.last ?? undefined
}

function stepsOf(context: PublishContext, loaded: LoadedSession, written: string[]): Pick<Steps, 'before' | 'after'> {
  const files = setFiles(context, loaded)
  const write = async (kind: 'transcript' | 'summary', plan: Plan) => {
    const file = await files[kind](plan)
    if ((await writeOnce(context, loaded, file)) === 'written') written.push(file.path)
  }
  return {
    before: {
      sanitize: async (plan) => void (await files.sanitize(plan)),
      sentence: (plan) => files.sentence(plan),
      transcript: async (plan) => void (await write('transcript', plan)),
      summary: async (plan) => void (await write('summary', plan)),
      manifest: async ({ manifest }) => void (await pointToSet(context, loaded, manifest)),
    },
    after: { rows: async () => void (await putRows(context, [files.transcriptPath, files.summaryPath])) },
  }
}

/** `taken up`: the rows were missing (a new database) and were restored from verified files. */
async function publishedBefore(context: PublishContext, loaded: LoadedSession): Promise<'known' | 'taken up' | undefined> {
  const { store, workspace } = context
  const { sessionId } = loaded.facts
  const open = await store.read.selectFrom('artifact_journal').select('key').where('session_id', '=', sessionId).executeTakeFirst()
  const path = open === undefined ? await findManifest({ db: store.read, workspace }, loaded.facts) : undefined
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  if (path === undefined || manifest === undefined || manifest.summary_path === null) return undefined
  if (Date.parse(manifest.captured_at) < loaded.capturedAt) return undefined
  const rows = await store.read
    .selectFrom('artifacts')
    .select('source_path')
    .where('source_path', 'in', [path, manifest.summary_path, manifest.transcript_path ?? ''])
    .execute()
  if (rows.length === 3) return 'known'
  return (await takeUp(context, { path, manifest })) ? 'taken up' : undefined
}

async function takeUp(context: PublishContext, { path, manifest }: { path: string; manifest: ManifestFrontmatter }): Promise<boolean> {
  const { summary_path, transcript_path } = manifest
  const tombstones = await context.tombstones({ db: context.store.read })
  for (const file of [summary_path, transcript_path]) {
    const head = file === null ? undefined : soundHead(context.workspace, file)
    if (head === undefined || tombstones?.holds('artifact', head.content_sha256)) return false
    if (!(await isSound(context.workspace, file))) return false
  }
  await putRows(context, [summary_path, transcript_path, path] as string[])
  return true
}
