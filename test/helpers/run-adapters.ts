import type { Adapter } from '../../src/ingest/adapter.ts'
import { syncSources } from '../../src/ingest/sync.ts'
import type { SyncSourcesOptions } from '../../src/ingest/sync-options.ts'
import type { AdapterReport } from '../../src/ingest/sync-report.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from './store.ts'

/** Also checks that its numbers add up. */
export async function runAdapter(store: Store, adapter: Adapter, more: Partial<SyncSourcesOptions> = {}): Promise<AdapterReport> {
  const { adapters } = await syncSources({
    ...{ store, adapters: [adapter], clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
    ...more,
  })
  const [report] = adapters
  if (report === undefined || report.found !== report.imported + report.unchanged + report.quarantined)
    throw new Error('it does not add up')
  return report
}
