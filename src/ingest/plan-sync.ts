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
  readonly failed: Map<string, unknown>
  /** Unreadable folders, whose stored units must stay. */
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

/** Prefix of a forgotten path's pseudonym. */
const FORGOTTEN = 'forgotten:'

/** Adds units known from earlier runs; a disabled adapter reads only those. */
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

/** A failing folder is quarantined under its own name, so other adapters continue. */
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
    // A missing path is the caller's mistake.
    if (error instanceof MnemonicError) throw error
    const folder = path ?? adapter.defaultPaths()[0] ?? adapter.name
    failed.set(folder, error)
    unlisted.push('')
    units.push({ path: folder, ...NO_FILE })
  }
  return units
}
