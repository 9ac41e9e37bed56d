/** The runner: every source's units, oldest first, into the ledger. Its numbers add up: found = imported + unchanged + quarantined. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError, type MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { redactVisible } from '../core/redact.ts'
import { type Fence, type FenceReader, fenceReader } from '../ledgers/fence.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Adapter, SourceUnit } from './adapter.ts'
import { claim } from './claim.ts'
import { runDrift } from './drift.ts'
import { quarantine, releaseVanished } from './quarantine.ts'
import type { AdapterReport, SyncReport } from './sync-report.ts'
import { isUnchanged, loadStates, saveState, type UnitState, unitName } from './sync-state.ts'
import { syncUnit, type UnitContext } from './sync-unit.ts'
import { type CountingReader, unitReader } from './unit-reader.ts'

export interface SyncSourcesOptions {
  readonly store: Store
  /** In the order they are asked whose file it is. */
  readonly adapters: readonly Adapter[]
  /** Those that are off: where a file below `path` is nobody else's, they say that it would be theirs. */
  readonly dormant?: readonly Adapter[]
  readonly path?: string
  /** With `path`: the adapters were not named by the caller, so each file is told by its content. */
  readonly byContent?: boolean
  readonly clock: Clock
  readonly quietMs: number
  readonly ignore: (project: string) => boolean
  /** Runs inside every write transaction, before anything is written: a lost lease stops the run there. */
  readonly guard: (tx: WriteTx) => Promise<void>
  /** After each group of units: the place to bring the index up to date. */
  readonly afterGroup: () => Promise<void>
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export async function syncSources(options: SyncSourcesOptions): Promise<SyncReport> {
  const plan = options.byContent && options.path !== undefined ? await claimed(options) : await discovered(options)
  const adapters: AdapterReport[] = []
  for (const [adapter, { units, warnings, reader }] of plan) {
    const started = performance.now()
    const run = await syncAdapter(adapter, units, { ...options, reader })
    adapters.push({
      name: adapter.name,
      found: run.found,
      imported: run.imported,
      unchanged: run.unchanged,
      quarantined: run.quarantined,
      records: run.records,
      repeated: run.repeated,
      skipped_lines: run.skippedLines,
      bytes_read: reader.bytesRead(),
      duration_ms: Math.round(performance.now() - started),
      warnings: collapsed([...warnings, ...run.warnings, ...run.unknown.warnings(adapter.name)]),
    })
  }
  return { adapters, totals: total(adapters) }
}

/** What many files of a folder may have in common: what is told of each, and what of all of them. */
const ALIKE = [
  { each: /^no conversation in |: no conversation in it$/, all: 'files hold no conversation' },
  { each: /^not an? [^:]{1,60}: /, all: 'files are of another format' },
]
const FEW = 3

/** Harnesses leave files in which nothing was said, and folders hold those of others: a few are told by name, more by their number. */
function collapsed(warnings: readonly string[]): string[] {
  return ALIKE.reduce<string[]>((left, { each, all }) => {
    const alike = left.filter((warning) => each.test(warning))
    if (alike.length <= FEW) return left
    const first = (alike[0] ?? '').replace(each, '')
    return [...left.filter((warning) => !each.test(warning)), `${alike.length} ${all} (the first: ${first})`]
  }, warnings.map(redactVisible))
}

interface Planned {
  readonly units: readonly SourceUnit[]
  readonly warnings: string[]
  readonly reader: CountingReader
}

async function discovered(options: SyncSourcesOptions): Promise<Map<Adapter, Planned>> {
  const plan = new Map<Adapter, Planned>()
  for (const adapter of options.adapters) {
    const warnings: string[] = []
    plan.set(adapter, { units: await discover(adapter, warnings, options), warnings, reader: unitReader(options.store.openSource) })
  }
  return plan
}

async function discover(adapter: Adapter, warnings: string[], { path, onProgress }: SyncSourcesOptions): Promise<SourceUnit[]> {
  const units: SourceUnit[] = []
  const warn = (message: string) => void warnings.push(message)
  for await (const unit of adapter.discover(path === undefined ? { warn } : { path, warn })) {
    units.push(unit)
    if (units.length % 100 === 0) onProgress?.({ stage: 'discover', adapter: adapter.name, found: units.length })
  }
  return units
}

/** Asks all adapters what lies below the path, and gives each file to the one whose format it is. */
async function claimed(options: SyncSourcesOptions): Promise<Map<Adapter, Planned>> {
  const warnings: string[] = []
  const units = new Map<string, SourceUnit>()
  const found = new Map<SourceUnit, Set<Adapter>>()
  for (const adapter of options.adapters) {
    for (const unit of await discover(adapter, warnings, options)) {
      const known = units.get(unit.path) ?? unit
      units.set(unit.path, known)
      found.set(known, (found.get(known) ?? new Set<Adapter>()).add(adapter))
    }
  }
  const states = await options.store.read
    .selectFrom('sync_state')
    .select(['adapter', 'path'])
    .where('status', 'in', ['done', 'quarantined'])
    .execute()
  const owners = new Map(states.map((state) => [state.path, state.adapter]))
  const reader = unitReader(options.store.openSource)
  const shares = await claim(found, options.adapters, { known: (path) => owners.get(path), reader })
  // Only where nothing came of the path does anybody wonder why.
  if ([...shares.values()].every((share) => share.length === 0)) warnings.push(...(await notRead(options, reader)))
  const plan = [...shares].map(([adapter, share], i): [Adapter, Planned] => [
    adapter,
    { units: share, warnings: i === 0 ? [...new Set(warnings)] : [], reader: i === 0 ? reader : unitReader(options.store.openSource) },
  ])
  return new Map(plan)
}

/** What a source that is off would read of the path, so that nobody wonders why nothing came of it. */
async function notRead({ dormant = [], ...options }: SyncSourcesOptions, reader: CountingReader): Promise<string[]> {
  const said: string[] = []
  for (const adapter of dormant) {
    const units = await discover(adapter, [], options)
    const shares = await claim(new Map(units.map((unit) => [unit, new Set<Adapter>()])), [adapter], { known: () => undefined, reader })
    const [first] = shares.get(adapter) ?? []
    if (first !== undefined)
      said.push(`${first.path} was not read: ${adapter.name} is off. Read it: mnemonic sync --adapter ${adapter.name} --path ${first.path}`)
  }
  return said
}

type Run = ReturnType<typeof newRun>

function newRun() {
  const counts = { found: 0, imported: 0, unchanged: 0, quarantined: 0, records: 0, repeated: 0, skippedLines: 0 }
  return { ...counts, warnings: [] as string[], unknown: runDrift() }
}

type AdapterOptions = SyncSourcesOptions & { readonly reader: CountingReader; readonly run: Run; readonly fence: FenceReader }
type Write = UnitContext['write']

async function syncAdapter(
  adapter: Adapter,
  found: readonly SourceUnit[],
  options: SyncSourcesOptions & { reader: CountingReader },
): Promise<Run> {
  const readFence = fenceReader()
  const fence = await readFence({ db: options.store.read })
  const units = fence === undefined ? found : found.map((unit) => namedUnit(unit, fence))
  const states = await loadStates(options.store, adapter.name)
  const run = newRun()
  run.found = units.length
  const changed = units.filter((unit) => !isUnchanged(unit, states.get(unitName(unit))))
  run.unchanged = units.length - changed.length
  let done = 0
  for (const group of groups(await oldestFirst(adapter, changed, states, options.reader), states)) {
    const tell = (unit: SourceUnit) =>
      options.onProgress?.({ stage: 'ingest', adapter: adapter.name, done: done++, total: changed.length, path: unit.path })
    const read = async (unit: SourceUnit, write: Write) => {
      tell(unit)
      await readUnit(adapter, unit, states.get(unitName(unit)), { ...options, run, write, fence: readFence })
    }
    await readGroup(group, read, options)
    await options.afterGroup()
  }
  await releaseVanished(options.store, adapter.name)
  return run
}

function namedUnit(unit: SourceUnit, fence: Fence): SourceUnit {
  return fence.holds('path', unit.path) ? { ...unit, name: fence.nameFor('path', unit.path) } : unit
}

/** Small units share a transaction: each commit has a price, and the pages of an index are written once for all of them. */
const GROUP_BYTES = 8 << 20
const GROUP_UNITS = 200

function* groups(units: readonly SourceUnit[], states: ReadonlyMap<string, UnitState>): Generator<SourceUnit[]> {
  let group: SourceUnit[] = []
  let bytes = 0
  for (const unit of units) {
    const size = unit.size - Math.min(unit.size, states.get(unitName(unit))?.offset ?? 0)
    if (group.length > 0 && (bytes + size > GROUP_BYTES || group.length === GROUP_UNITS)) {
      yield group
      group = []
      bytes = 0
    }
    group.push(unit)
    bytes += size
  }
  if (group.length > 0) yield group
}

async function readGroup(
  group: readonly SourceUnit[],
  read: (unit: SourceUnit, write: Write) => Promise<void>,
  { store, guard }: SyncSourcesOptions,
): Promise<void> {
  const [first] = group
  if (group.length === 1 && first !== undefined) {
    // Alone, and perhaps large: its batches commit one by one.
    return read(first, (work) =>
      store.write(async (tx) => {
        await guard(tx)
        return work(tx)
      }),
    )
  }
  await store.write(async (tx) => {
    await guard(tx)
    for (const unit of group) await read(unit, (work) => tx.attempt(() => work(tx)))
  })
}

async function readUnit(
  adapter: Adapter,
  unit: SourceUnit,
  state: UnitState | undefined,
  options: AdapterOptions & { readonly write: Write },
): Promise<void> {
  const { reader, clock, quietMs, ignore, signal, run, write, fence } = options
  try {
    const outcome = await syncUnit(unit, state, { adapter, reader, clock, quietMs, ignore, signal, write, fence })
    run.imported += 1
    run.records += outcome.records
    run.repeated += outcome.repeated
    run.skippedLines += outcome.skippedLines
    run.warnings.push(...outcome.warnings)
    run.unknown.add(unit.path, outcome.unknown)
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    // What the content of one unit brings about stops that unit alone; a database or a lease in trouble stops the run.
    if (!['NOT_THIS_FORMAT', 'VALIDATION_ERROR', 'SOURCE_UNREADABLE', 'PARSE_ERROR', 'INTERNAL'].includes(error.code)) throw thrown
    run.warnings.push(error.message.includes(unit.path) ? error.message : `${unit.path}: ${error.message}`)
    // Quarantined counts what failed in this run; the same failure of the same content again is no news.
    if (await write((tx) => setAside(tx, adapter, unit, { error, now: clock() }))) run.quarantined += 1
    else run.unchanged += 1
  }
}

async function setAside(tx: WriteTx, adapter: Adapter, unit: SourceUnit, why: { error: MnemonicError; now: number }): Promise<boolean> {
  // What cannot be opened may be openable tomorrow without a change in size or time: it is tried again each run.
  if (why.error.code !== 'SOURCE_UNREADABLE') {
    const { size, mtimeMs } = unit
    await saveState(tx, {
      adapter: adapter.name,
      path: unitName(unit),
      size,
      mtime_ms: mtimeMs,
      offset: 0,
      status: 'quarantined',
      updated_at: why.now,
    })
  }
  return quarantine(tx, adapter.name, unit, why)
}

/** Grown units first, then new ones by age: a message told twice belongs to the session that said it first. */
async function oldestFirst(
  adapter: Adapter,
  units: readonly SourceUnit[],
  states: ReadonlyMap<string, UnitState>,
  reader: CountingReader,
): Promise<SourceUnit[]> {
  const ask = async (unit: SourceUnit, at: 'begin' | 'end') =>
    adapter.age === undefined ? 0 : adapter.age(unit, reader, at).catch(() => Number.MAX_SAFE_INTEGER)
  const aged: { unit: SourceUnit; age: number; end: number }[] = []
  for (const unit of units) {
    const isNew = !states.has(unitName(unit))
    aged.push({ unit, age: isNew && units.length > 1 ? await ask(unit, 'begin') : -1, end: 0 })
  }
  const times = new Map<number, number>()
  for (const { age } of aged) times.set(age, (times.get(age) ?? 0) + 1)
  for (const one of aged) if (one.age >= 0 && (times.get(one.age) ?? 0) > 1) one.end = await ask(one.unit, 'end')
  return aged.sort((a, b) => a.age - b.age || a.end - b.end || (a.unit.path < b.unit.path ? -1 : 1)).map(({ unit }) => unit)
}

function total(adapters: readonly AdapterReport[]): SyncReport['totals'] {
  const sum = (key: Exclude<keyof AdapterReport, 'name' | 'warnings'>) => adapters.reduce((all, report) => all + report[key], 0)
  return {
    found: sum('found'),
    imported: sum('imported'),
    unchanged: sum('unchanged'),
    quarantined: sum('quarantined'),
    records: sum('records'),
    repeated: sum('repeated'),
    skipped_lines: sum('skipped_lines'),
    bytes_read: sum('bytes_read'),
    duration_ms: sum('duration_ms'),
    warnings: adapters.flatMap((report) => report.warnings),
  }
}
