/** Counts what was shown: when, for whom and how often, never the question. Never throws. */
import type { SearchNote } from '../store/search-rows.ts'
import type { Store } from '../store/store.ts'
import type { Home } from './open-home.ts'

const PATIENCE_MS = 100

export async function noteReturned(store: Store, { config, clock }: Home, returned: SearchNote['returned']): Promise<void> {
  if (returned.length === 0) return
  const at = { agent_id: config.agent, created_at: clock() }
  // A busy or read-only database only loses the count.
  await store.noteReturned({ ...at, returned }, { patienceMs: PATIENCE_MS }).catch(() => undefined)
}
