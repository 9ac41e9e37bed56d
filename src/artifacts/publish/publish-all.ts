/** Publishes many sessions with one rendering of MEMORY.md for all of them. One that fails does not keep the others from being published. */
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { nextCompaction } from './publish-compaction.ts'
import type { Publication, PublishContext, Published } from './publish-context.ts'
import { publishSession } from './publish-session.ts'

export interface PublishReport {
  readonly results: readonly Published[]
  /** Sessions whose publication failed, with the reason; the others went on. */
  readonly failed: readonly { readonly session_id: string; readonly error: string }[]
  readonly warnings: readonly string[]
}

/** As many are written before MEMORY.md is: it is not far behind, and not written for each. */
const AT_ONCE = 50

export async function publishAll(
  context: PublishContext,
  ids: readonly string[],
  { compactionsOnly = false, again = false } = {},
): Promise<Omit<PublishReport, 'warnings'>> {
  const results: Published[] = []
  const failed: { session_id: string; error: string }[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const batch = ids.slice(at, at + AT_ONCE).map((id): Session => ({ id, compactions: new Set(), ended: compactionsOnly, published: [] }))
    await publishTogether(context, batch, again)
    for (const { id, published, error } of batch) {
      if (error === undefined) results.push(...published)
      else failed.push({ session_id: id, error })
    }
  }
  return { results, failed }
}

interface Session {
  readonly id: string
  /** The moments of those that were looked at. */
  readonly compactions: Set<number>
  /** True once its set was looked at, which comes last. */
  ended: boolean
  readonly published: Published[]
  error?: string
}

/** In rounds: of each session the next publication as far as the rendering, then one rendering an agent, then the rest of each publication. */
async function publishTogether(context: PublishContext, batch: readonly Session[], again: boolean): Promise<void> {
  for (let open = batch; open.length > 0; ) {
    const round: { session: Session; publication: Publication }[] = []
    for (const session of open) {
      await pauseToStop(context.signal, 'publishing')
      const publication = await unlessInvalid([session], () => nextPublication(context, session, again))
      if (publication !== undefined) round.push({ session, publication })
    }
    open = round.map(({ session }) => session)
    await unlessInvalid(open, async () => {
      for (const agentId of new Set(round.flatMap(({ publication }) => publication.renders ?? []))) await context.project(agentId)
    })
    for (const { session, publication } of round) {
      const done = session.error === undefined ? await unlessInvalid([session], () => publication.finish()) : undefined
      if (done !== undefined) session.published.push(done)
    }
    open = open.filter(({ error }) => error === undefined)
  }
}

/** Compactions come before the set of the session. Undefined where nothing is left. */
async function nextPublication(context: PublishContext, session: Session, again: boolean): Promise<Publication | undefined> {
  const compaction = await nextCompaction(context, session.id, session.compactions)
  if (compaction !== undefined || session.ended) return compaction
  session.ended = true
  return publishSession(context, session.id, { again })
}

/** A file that breaks its contract fails its own session; a database, a disk or a person that says stop, stops all of them. */
async function unlessInvalid<T>(sessions: readonly Session[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR') throw error
    for (const session of sessions) session.error = error.message
    return undefined
  }
}
