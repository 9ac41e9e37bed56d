/** Publishes one artifact per compaction. Each step is idempotent. */
import { given } from '../../core/given.ts'
import { sha256 } from '../../core/hash.ts'
import { compactionBody } from '../format/bodies.ts'
import { findManifest, nameManifest } from '../format/open-session.ts'
import { readManifest, soundHead } from '../format/read-artifact.ts'
import { contentFrontmatter, type DatedSentence, type SetCompaction, sentenceIn, setPath } from '../format/session-set.ts'
import type { ContentFile } from './content-file.ts'
import { putRows, writeOnce } from './content-file.ts'
import { untilSettled } from './forgotten-meanwhile.ts'
import { journalRow, type Plan } from './journal.ts'
import { type LoadedSession, loadCompactions, loadSession, summarize } from './load-set.ts'
import { pointToCompaction } from './point-manifest.ts'
import type { Publication, PublishContext } from './publish-context.ts'
import { runSteps } from './run-steps.ts'
import { dated, writeSentence } from './set-files.ts'

interface Compacted {
  readonly capturedAt: number
  readonly compaction: SetCompaction
}

/** Stops before the rendering. `looked`: times already tried. */
export async function nextCompaction(context: PublishContext, sessionId: string, looked: Set<number>): Promise<Publication | undefined> {
  return untilSettled(async () => {
    const loaded = await loadSession(context.store, sessionId)
    if (loaded === undefined || loaded.isSubagent) return undefined
    for (const compacted of withMoments(context.workspace, loaded, await loadCompactions(context.store, sessionId))) {
      if (looked.has(compacted.capturedAt)) continue
      const publication = (await isPublished(context, loaded, compacted)) ? undefined : await publishOne(context, loaded, compacted)
      looked.add(compacted.capturedAt)
      if (publication !== undefined) return publication
    }
    return undefined
  })
}

/** Assigns unique times: on a collision, the next free millisecond. Later compactions never move earlier ones. */
export function withMoments(workspace: string, { facts: session, capturedAt }: LoadedSession, all: readonly SetCompaction[]): Compacted[] {
  const taken = new Set<number>()
  const isOthers = (at: number, turnId: string) => {
    const there = soundHead(workspace, setPath({ session, capturedAt: at }, 'compaction'))
    return there !== undefined && there.source_node_id !== null && there.source_node_id !== turnId
  }
  return all.map((compaction) => {
    let at = compaction.timestamp ?? capturedAt
    while (taken.has(at) || isOthers(at, compaction.turnId)) at++
    taken.add(at)
    return { capturedAt: at, compaction }
  })
}

async function publishOne(context: PublishContext, loaded: LoadedSession, compacted: Compacted): Promise<Publication | undefined> {
  const { facts: session } = loaded
  const { capturedAt } = compacted
  const path = setPath({ session, capturedAt }, 'compaction')
  const written = await runSteps(context, journalRow('compaction', session, capturedAt), {
    manifest: (tx) => nameManifest({ db: tx.db, workspace: context.workspace }, session, capturedAt),
    before: {
      sentence: (planned) => withSentence(context, loaded, { plan: planned, path, compaction: compacted.compaction }),
      compaction: async (planned) => {
        const file = compactionFile(
          loaded,
          compacted,
          await withSentence(context, loaded, { plan: planned, path, compaction: compacted.compaction }),
        )
        await writeOnce(context, loaded, file)
        return undefined
      },
      manifest: async ({ manifest }) => void (await pointToCompaction(context, loaded, { path, manifest })),
    },
    after: { rows: async () => void (await putRows(context, [path])) },
  })
  return (
    written && {
      renders: written.unrendered ? session.agentId : undefined,
      async finish() {
        const plan = await written.finish()
        return plan && { session_id: session.sessionId, flow: 'compaction', status: 'published', paths: [path, plan.manifest] }
      },
    }
  )
}

export function compactionFile({ facts }: LoadedSession, { capturedAt, compaction }: Compacted, plan: Plan): ContentFile {
  const session = { ...facts, headTurnId: compaction.turnId }
  const text = compactionBody({ session, capturedAt, compactions: [compaction], paths: { manifest: plan.manifest } })
  const head = { kind: 'compaction' as const, manifestPath: plan.manifest, contentSha256: sha256(text) }
  return {
    path: setPath({ session, capturedAt }, 'compaction'),
    fields: contentFrontmatter({ session, capturedAt, sentence: plan.sentence as DatedSentence }, head),
    body: () => [text],
  }
}

async function isPublished({ store, workspace }: PublishContext, { facts }: LoadedSession, { capturedAt }: Compacted): Promise<boolean> {
  const path = setPath({ session: facts, capturedAt }, 'compaction')
  const row = await store.read.selectFrom('artifacts').select('source_path').where('source_path', '=', path).executeTakeFirst()
  const open = await store.read
    .selectFrom('artifact_journal')
    .select('key')
    .where('session_id', '=', facts.sessionId)
    .where('flow', '=', 'compaction')
    .where('captured_at', '=', capturedAt)
    .executeTakeFirst()
  if (row === undefined || open !== undefined) return false
  const manifest = await findManifest({ db: store.read, workspace }, facts)
  const fields = manifest === undefined ? undefined : readManifest(workspace, manifest)
  return fields !== undefined && [fields, ...fields.previous].some((set) => set.compaction_path === path)
}

export async function withSentence(
  context: PublishContext,
  loaded: LoadedSession,
  { plan, path, compaction }: { plan: Plan; path: string; compaction?: SetCompaction },
): Promise<Plan> {
  if (plan.sentence !== undefined) return plan
  const there = soundHead(context.workspace, path)
  if (there !== undefined) return { ...plan, sentence: sentenceIn(there) }
  const { input } = await summarize(context.store, loaded)
  const [message, text] = [compaction?.id, compaction?.summary]
  const of = message === undefined || text === undefined ? undefined : { message, text }
  const written = { session: loaded.facts.sessionId, ...given({ compaction: of }) }
  return { ...plan, sentence: dated(await writeSentence(context, { ...input, kind: 'compaction' }, written), context.clock()) }
}
