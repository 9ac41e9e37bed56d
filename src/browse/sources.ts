/** What a sync would read. Looks at names and sizes only; opens no source. */
import { stat } from 'node:fs/promises'
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { asMnemonicError } from '../core/error.ts'
import { toIso } from '../core/time.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { formatDrift } from '../ingest/drift.ts'
import { isUnchanged, loadStates, type UnitState } from '../ingest/sync-state.ts'
import { unitReader } from '../ingest/unit-reader.ts'
import type { Store } from '../store/store.ts'
import type { SourceInfo, UnknownRecords } from './browse.ts'
import { retentionOf } from './retention.ts'

export interface ListSourcesOptions {
  /** Absent before the database exists: then everything waits. */
  readonly store?: Store | undefined
  readonly enabled: (adapter: string) => boolean
}

export async function listSources(adapters: readonly Adapter[], options: ListSourcesOptions): Promise<SourceInfo[]> {
  return describeAll(
    adapters.map(({ name }) => ({ name, kind: kindOf(name) })),
    adapters,
    options,
  )
}

/** All configured sources; those that this version reads come first in each kind. */
export async function everySource(adapters: readonly Adapter[], options: ListSourcesOptions): Promise<SourceInfo[]> {
  return describeAll(known(adapters), adapters, options)
}

async function describeAll(
  named: readonly Named[],
  adapters: readonly Adapter[],
  { store, enabled }: ListSourcesOptions,
): Promise<SourceInfo[]> {
  const drift = store === undefined ? [] : await formatDrift(store)
  const sources: SourceInfo[] = []
  for (const { name, kind } of named) {
    const adapter = adapters.find((one) => one.name === name)
    const unknown = drift.flatMap(({ adapter: source, first_seen, last_seen, ...rest }): UnknownRecords[] =>
      source === name ? [{ ...rest, first_seen: toIso(first_seen), last_seen: toIso(last_seen) }] : [],
    )
    const source = { name, kind, enabled: enabled(name), unknown }
    sources.push(adapter === undefined ? withoutAdapter(source) : await describe(adapter, source, store))
  }
  return sources
}

type Named = Pick<SourceInfo, 'name' | 'kind'>
type Source = Pick<SourceInfo, 'name' | 'kind' | 'enabled' | 'unknown'>

function kindOf(name: string): SourceInfo['kind'] {
  const isIn = (names: readonly string[]) => names.includes(name)
  return isIn(PERSONAL_SOURCES) ? 'personal' : isIn(DERIVED_SOURCES) ? 'derived' : 'harness'
}

const KINDS: readonly SourceInfo['kind'][] = ['harness', 'personal', 'derived']

function known(adapters: readonly Adapter[]): Named[] {
  const read = adapters.map(({ name }) => name)
  const names = new Set<string>([...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES, ...read])
  const rank = ({ name, kind }: Named) => KINDS.indexOf(kind) * 2 + Number(!read.includes(name))
  return [...names].map((name) => ({ name, kind: kindOf(name) })).sort((a, b) => rank(a) - rank(b))
}

const NOTHING = { places: [], units: 0, bytes: 0, waiting: 0, oldest_waiting: null, retention: null, warnings: [] }

/** A derived source needs no adapter; any other without one is unreadable. */
function withoutAdapter(source: Source): SourceInfo {
  return { ...source, ...NOTHING, available: source.kind === 'derived' }
}

async function describe(adapter: Adapter, source: Source, store: Store | undefined): Promise<SourceInfo> {
  const places = await Promise.all(adapter.defaultPaths().map(async (path) => ({ path, exists: await exists(path) })))
  // Personal sources are not even counted before the owner enables them.
  if (source.kind === 'personal' && !source.enabled) {
    return { ...source, ...NOTHING, available: true, places, hint: `mnemonic sources enable ${source.name}` }
  }
  const warnings: string[] = []
  const reader = unitReader((path) => {
    throw new Error(`${path} is not opened to find units`)
  })
  const states = store === undefined ? new Map<string, UnitState>() : await loadStates(store, adapter.name)
  let units = 0
  let bytes = 0
  let waiting = 0
  let oldest: number | undefined
  try {
    for await (const unit of adapter.discover({ warn: (message) => warnings.push(message), reader })) {
      units += 1
      bytes += unit.size
      if (isUnchanged(unit, states.get(unit.path))) continue
      waiting += 1
      oldest = Math.min(oldest ?? unit.mtimeMs, unit.mtimeMs)
    }
  } catch (error) {
    // A source that fails must not hide the others.
    warnings.push(asMnemonicError(error).message)
  }
  const hint = source.enabled ? {} : { hint: `mnemonic sources enable ${source.name}` }
  const there = places.filter((place) => place.exists).map(({ path }) => path)
  const retention = (await retentionOf(source.name, there)) ?? null
  const oldest_waiting = oldest === undefined ? null : toIso(Math.round(oldest))
  return { ...source, available: true, places, units, bytes, waiting, oldest_waiting, retention, warnings, ...hint }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
