/** Renders MEMORY.md once for many sessions. One failure does not stop the others. */
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { nextCompaction } from './publish-compaction.ts'
import type { Publication, PublishContext, Published } from './publish-context.ts'
import { publishSession } from './publish-session.ts'

export interface PublishReport {
  readonly results: readonly Published[]
  readonly failed: readonly { readonly session_id: string; readonly error: string }[]
  readonly warnings: readonly string[]
}

/** Sessions per rendering of MEMORY.md. */
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
  readonly compactions: Set<number>
  ended: boolean
  readonly published: Published[]
  error?: string
}

/** Each round prepares one publication per session, renders once per agent, then finishes all. */
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

/** Compactions come before the session's set. */
async function nextPublication(context: PublishContext, session: Session, again: boolean): Promise<Publication | undefined> {
  const compaction = await nextCompaction(context, session.id, session.compactions)
  if (compaction !== undefined || session.ended) return compaction
  session.ended = true
  return publishSession(context, session.id, { again })
}

/** An invalid file fails only its session. */
async function unlessInvalid<T>(sessions: readonly Session[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR') throw error
    for (const session of sessions) session.error = error.message
    return undefined
  }
}
