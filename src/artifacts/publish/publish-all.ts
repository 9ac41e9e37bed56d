/** Publishes many sessions. One that fails does not keep the others from being published. */
import { MnemonicError } from '../../core/error.ts'
import { publishCompactions } from './publish-compaction.ts'
import type { PublishContext, Published } from './publish-context.ts'
import { publishSession } from './publish-session.ts'
import { withSharedProjection } from './shared-projection.ts'

export interface PublishReport {
  readonly results: readonly Published[]
  /** Sessions whose publication failed, with the reason; the others went on. */
  readonly failed: readonly { readonly session_id: string; readonly error: string }[]
}

/** As many are written before MEMORY.md is: it is not far behind, and not written for each. */
const AT_ONCE = 50

export async function publishAll(
  context: PublishContext,
  ids: readonly string[],
  { compactionsOnly = false } = {},
): Promise<PublishReport> {
  const results: Published[] = []
  const failed: { session_id: string; error: string }[] = []
  const publish = async (shared: PublishContext, id: string) => {
    try {
      const compactions = await publishCompactions(shared, id)
      return compactionsOnly ? compactions : [...compactions, await publishSession(shared, id)]
    } catch (error) {
      // A database, a disk or a person that says stop, stops all of them.
      if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR') throw error
      failed.push({ session_id: id, error: error.message })
      return []
    }
  }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    results.push(...(await withSharedProjection(context, ids.slice(at, at + AT_ONCE), publish)).flat())
  }
  return { results, failed }
}
