/** What a sync reads: the units that each adapter finds, in its own folders or below the path that the caller named. */
import { existsSync } from 'node:fs'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { Adapter, SourceUnit } from './adapter.ts'
import { NO_FILE } from './quarantine.ts'
import type { SyncSourcesOptions } from './sync-options.ts'
import { loadStates } from './sync-state.ts'
import { type CountingReader, unitReader } from './unit-reader.ts'

export interface Planned {
  readonly adapter: Adapter
  units: readonly SourceUnit[]
  readonly warnings: string[]
  readonly reader: CountingReader
  /** What the adapter failed over before reading it, by path, and how. */
  readonly failed: Map<string, unknown>
  /** Folders that could not be listed, by the names of their units: what is stored of those stays. */
  readonly unlisted: string[]
}

export function emptyPlan(adapter: Adapter, { store }: Pick<SyncSourcesOptions, 'store'>): Planned {
  return { adapter, units: [], warnings: [], failed: new Map(), unlisted: [], reader: unitReader(store.openSource) }
}

export async function plan(options: SyncSourcesOptions): Promise<Planned[]> {
  const all: Planned[] = []
  for (const adapter of options.adapters) {
    const planned = emptyPlan(adapter, options)
    const found = await discover(planned, options)
    planned.units = options.path === undefined ? found : found.map((unit) => ({ ...unit, adapterGiven: true }))
    all.push(planned)
  }
  return all
}

/** What a path that was forgotten is called. */
const FORGOTTEN = 'forgotten:'

/** Adds what earlier runs were pointed to, where it is still there: an adapter that is off reads only that. */
export async function withKnown(found: readonly Planned[], options: SyncSourcesOptions): Promise<Planned[]> {
  const all = new Map(found.map((planned) => [planned.adapter, planned]))
  for (const adapter of [...options.adapters, ...(options.dormant ?? [])]) {
    const planned = all.get(adapter) ?? emptyPlan(adapter, options)
    const units = new Map(planned.units.map((unit) => [unit.path, unit]))
    const paths = adapter.mirrors ? [] : (await loadStates(options.store, adapter.name)).keys()
    for (const path of paths) {
      if (units.has(path) || path.startsWith(FORGOTTEN) || !existsSync(path)) continue
      for (const unit of await discover(planned, { ...options, path })) units.set(unit.path, unit)
    }
    planned.units = [...units.values()]
    if (units.size > 0) all.set(adapter, planned)
  }
  return [...all.values()]
}

/** A folder that the adapter failed over is set aside under its own name: the other adapters go on. */
export async function discover(
  { adapter, warnings, failed, unlisted, reader }: Omit<Planned, 'units'>,
  { path, onProgress, signal }: Pick<SyncSourcesOptions, 'path' | 'onProgress' | 'signal'>,
): Promise<SourceUnit[]> {
  const units: SourceUnit[] = []
  try {
    for await (const unit of adapter.discover({
      ...given({ path }),
      reader,
      warn: (message) => void warnings.push(message),
      unlisted: (name) => void unlisted.push(name),
    })) {
      throwIfStopped(signal, 'sync')
      units.push(unit)
      if (units.length % 100 === 0) onProgress?.({ stage: 'discover', adapter: adapter.name, found: units.length })
    }
  } catch (error) {
    // A path that is not there is the caller's mistake.
    if (error instanceof MnemonicError) throw error
    const folder = path ?? adapter.defaultPaths()[0] ?? adapter.name
    failed.set(folder, error)
    unlisted.push('')
    units.push({ path: folder, ...NO_FILE })
  }
  return units
}
