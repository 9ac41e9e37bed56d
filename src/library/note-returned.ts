/** Counts what was shown, as a search counts what it returned: when, for whom and how often, never what was asked. Never fails who reads. */
import type { SearchNote } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Home } from './open-home.ts'

/** A count is not worth more waiting than a person notices. */
const PATIENCE_MS = 100

export async function noteReturned(store: Store, { config, clock }: Home, returned: SearchNote['returned']): Promise<void> {
  if (returned.length === 0) return
  const at = { agent_id: config.agent, created_at: clock() }
  // A busy or read-only database loses the count, and nothing else: what was asked for is there already.
  await store.noteReturned({ ...at, returned }, { patienceMs: PATIENCE_MS }).catch(() => undefined)
}
