import type { Adapter, SourceUnit } from './adapter.ts'
import { claim } from './claim.ts'
import { discover, emptyPlan, type Planned } from './plan-sync.ts'
import { NO_FILE } from './quarantine.ts'
import type { SyncSourcesOptions } from './sync-options.ts'
import { isUnchanged, loadStates } from './sync-state.ts'
import { type CountingReader, unitReader } from './unit-reader.ts'

export async function planByContent(options: SyncSourcesOptions): Promise<Planned[]> {
  const plans = new Map(options.adapters.map((adapter) => [adapter, emptyPlan(adapter, options)]))
  const reader = unitReader(options.store.openSource)
  const shared = { warnings: [] as string[], failed: new Map<string, unknown>(), unlisted: [], reader }
  const { found, lost } = await foundBelow(options, shared)
  const shares = await claim(found, options.adapters, {
    known: await readersOf(options),
    reader,
    onFailed: (unit, error) => void shared.failed.set(unit.path, error),
    onRead: (adapter, bytes) => plans.get(adapter)?.reader.count(bytes),
  })
  const none = [...shares.values()].every((share) => share.length === 0)
  const claimed = new Set([...shares.values()].flat().map(({ path }) => path))
  const warnings = new Set([...shared.warnings, ...(await notRead(options, { reader, claimed, none }))])
  for (const [adapter, unit] of lost) if (shared.failed.has(unit.path)) shares.get(adapter)?.push(unit)
  const [first] = plans.values()
  first?.warnings.push(...warnings)
  for (const planned of plans.values()) {
    planned.units = shares.get(planned.adapter) ?? []
    for (const [path, error] of shared.failed) planned.failed.set(path, error)
  }
  return [...plans.values()]
}

type Shared = Omit<Planned, 'adapter' | 'units'>

async function foundBelow(options: SyncSourcesOptions, shared: Shared) {
  const lost = new Map<Adapter, SourceUnit>()
  const units = new Map<string, SourceUnit>()
  const found = new Map<SourceUnit, Set<Adapter>>()
  for (const adapter of options.adapters) {
    for (const unit of await discover({ ...shared, adapter }, options)) {
      if (unit.size === NO_FILE.size) {
        lost.set(adapter, unit)
        continue
      }
      const known = units.get(unit.path) ?? unit
      units.set(unit.path, known)
      found.set(known, (found.get(known) ?? new Set<Adapter>()).add(adapter))
    }
  }
  // Another adapter may have found it.
  for (const { path } of lost.values()) if (units.has(path)) shared.failed.delete(path)
  return { found, lost }
}

async function readersOf({ store }: SyncSourcesOptions): Promise<(path: string) => string | undefined> {
  const states = await store.read
    .selectFrom('sync_state')
    .select(['adapter', 'path'])
    .where('status', 'in', ['done', 'quarantined'])
    .execute()
  const readers = new Map(states.map((state) => [state.path, state.adapter]))
  return (path) => readers.get(path)
}

const LISTED = 10

interface NotRead {
  readonly reader: CountingReader
  readonly claimed: ReadonlySet<string>
  readonly none: boolean
}

/**
 * Reports files skipped because their source is off. Lists every file of sources that need consent, since naming a file is consent. Lists
 * one file of others, only if nothing else was found.
 */
async function notRead({ dormant = [], needsConsent = () => false, ...options }: SyncSourcesOptions, at: NotRead): Promise<string[]> {
  const warnings: string[] = []
  if (options.path !== undefined && at.claimed.has(options.path)) return warnings
  for (const adapter of dormant) {
    const personal = needsConsent(adapter)
    if (!personal && !at.none) continue
    const share = await unreadBy(adapter, options, at)
    for (const { path } of share.slice(0, personal ? LISTED : 1)) {
      const command = personal ? `--path ${shellWord(path)}` : `--adapter ${adapter.name} --path ${shellWord(path)}`
      warnings.push(`${path} was not read: ${adapter.name} is off. Read it: mnemonic sync ${command}`)
    }
    if (personal && share.length > LISTED)
      warnings.push(
        `${share.length - LISTED} more files of ${adapter.name} were not read. Read all: mnemonic sync --adapter ${adapter.name} --path ${shellWord(options.path ?? '')}`,
      )
  }
  return warnings
}

async function unreadBy(adapter: Adapter, options: SyncSourcesOptions, { reader, claimed, none }: NotRead): Promise<SourceUnit[]> {
  const states = await loadStates(options.store, adapter.name)
  // Inspect all heads only if nothing else was found.
  const isWorth = (path: string) => none || (adapter.isLikely?.(path) ?? true)
  const units = (await discover({ adapter, warnings: [], failed: new Map(), unlisted: [], reader }, options)).filter(
    (unit) => !claimed.has(unit.path) && isWorth(unit.path) && !isUnchanged(unit, states.get(unit.path)),
  )
  const found = new Map(units.map((unit) => [unit, new Set<Adapter>()]))
  const unread = new Set<SourceUnit>()
  const claims = { known: () => undefined, reader, onFailed: (unit: SourceUnit) => void unread.add(unit) }
  return ((await claim(found, [adapter], claims)).get(adapter) ?? []).filter((unit) => !unread.has(unit))
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
