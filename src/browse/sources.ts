/** What a sync would read: places, units, bytes. Looks at names and sizes only; opens no source and imports nothing. */
import { stat } from 'node:fs/promises'
import { asMnemonicError } from '../core/error.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { isUnchanged, loadStates, type UnitState } from '../ingest/sync-state.ts'
import type { Store } from '../store/store.ts'
import type { SourceInfo } from './browse.ts'

export interface ListSourcesOptions {
  /** Absent before there is a database: then everything waits. */
  readonly store?: Store | undefined
  readonly enabled: (adapter: string) => boolean
}

export async function listSources(adapters: readonly Adapter[], { store, enabled }: ListSourcesOptions): Promise<SourceInfo[]> {
  const sources: SourceInfo[] = []
  for (const adapter of adapters) sources.push(await describe(adapter, { enabled: enabled(adapter.name), store }))
  return sources
}

async function describe(adapter: Adapter, { enabled, store }: { enabled: boolean; store: Store | undefined }): Promise<SourceInfo> {
  const warnings: string[] = []
  const places = await Promise.all(adapter.places().map(async (path) => ({ path, exists: await exists(path) })))
  const states = store === undefined ? new Map<string, UnitState>() : await loadStates(store, adapter.name)
  let units = 0
  let bytes = 0
  let waiting = 0
  try {
    for await (const unit of adapter.discover({ warn: (message) => warnings.push(message) })) {
      units += 1
      bytes += unit.size
      if (!isUnchanged(unit, states.get(unit.path))) waiting += 1
    }
  } catch (error) {
    // One source that cannot be listed must not hide the others.
    warnings.push(asMnemonicError(error).message)
  }
  return { name: adapter.name, enabled, places, units, bytes, waiting, warnings }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
