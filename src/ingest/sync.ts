/** The runner: every source's units, oldest first, into the ledger. Its numbers add up: found = imported + unchanged + quarantined. */
import { existsSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { redactVisible } from '../core/redact.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { type TombstoneReader, type Tombstones, tombstoneReader } from '../tombstones/tombstones.ts'
import type { Adapter, SourceUnit } from './adapter.ts'
import { claim } from './claim.ts'
import { runDrift } from './drift.ts'
import { NO_FILE, quarantine, releaseVanished } from './quarantine.ts'
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
  /** Those of them that are read with consent only: each of their files below `path` is listed. */
  readonly needsConsent?: (adapter: Adapter) => boolean
  readonly path?: string
  /** Read again what size and time call unchanged, and what was read before from other places. */
  readonly reread?: boolean
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
  const found = options.byContent && options.path !== undefined ? await claimed(options) : await discovered(options)
  const plan = options.reread && options.path === undefined ? await withKnown(found, options) : found
  const adapters: AdapterReport[] = []
  for (const [adapter, { units, warnings, reader, failed }] of plan) {
    const started = performance.now()
    const run = await syncAdapter(adapter, units, { ...options, reader, failed })
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
  return { adapters, totals: total(adapters), newly_failed_chunks: 0 }
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
  /** What an adapter failed over before reading it, by path, and how. */
  readonly failed: Map<string, unknown>
}

function emptyPlan({ store }: SyncSourcesOptions): Planned {
  return { units: [], warnings: [], failed: new Map(), reader: unitReader(store.openSource) }
}

async function discovered(options: SyncSourcesOptions): Promise<Map<Adapter, Planned>> {
  const plan = new Map<Adapter, Planned>()
  for (const adapter of options.adapters) {
    const planned = emptyPlan(options)
    const found = await discover(adapter, planned, options)
    plan.set(adapter, { ...planned, units: options.path === undefined ? found : found.map((unit) => ({ ...unit, named: true })) })
  }
  return plan
}

/** What earlier runs were pointed to, where it is still there: an adapter that is off reads only that. */
async function withKnown(plan: Map<Adapter, Planned>, options: SyncSourcesOptions): Promise<Map<Adapter, Planned>> {
  const all = new Map(plan)
  for (const adapter of [...options.adapters, ...(options.dormant ?? [])]) {
    const planned = all.get(adapter) ?? emptyPlan(options)
    const units = new Map(planned.units.map((unit) => [unit.path, unit]))
    for (const path of (await loadStates(options.store, adapter.name)).keys()) {
      if (units.has(path) || path.startsWith(FORGOTTEN) || !existsSync(path)) continue
      for (const unit of await discover(adapter, planned, { ...options, path })) units.set(unit.path, unit)
    }
    if (all.has(adapter) || units.size > 0) all.set(adapter, { ...planned, units: [...units.values()] })
  }
  return all
}

/** What a path that was forgotten is called. */
const FORGOTTEN = 'forgotten:'

/** What could not even be looked for is put aside under the name of its place: the other adapters go on. */
async function discover(
  adapter: Adapter,
  { warnings, failed }: Pick<Planned, 'warnings' | 'failed'>,
  { path, onProgress }: SyncSourcesOptions,
): Promise<SourceUnit[]> {
  const units: SourceUnit[] = []
  const warn = (message: string) => void warnings.push(message)
  try {
    for await (const unit of adapter.discover(path === undefined ? { warn } : { path, warn })) {
      units.push(unit)
      if (units.length % 100 === 0) onProgress?.({ stage: 'discover', adapter: adapter.name, found: units.length })
    }
  } catch (error) {
    // A path that is not there is the caller's mistake.
    if (error instanceof MnemonicError) throw error
    const place = path ?? adapter.places()[0] ?? adapter.name
    failed.set(place, error)
    units.push({ path: place, ...NO_FILE })
  }
  return units
}

/** Asks all adapters what lies below the path, and gives each file to the one whose format it is. */
async function claimed(options: SyncSourcesOptions): Promise<Map<Adapter, Planned>> {
  const warnings: string[] = []
  const failed = new Map<string, unknown>()
  const lost = new Map<Adapter, SourceUnit>()
  const units = new Map<string, SourceUnit>()
  const found = new Map<SourceUnit, Set<Adapter>>()
  for (const adapter of options.adapters) {
    for (const unit of await discover(adapter, { warnings, failed }, options)) {
      if (unit.size === NO_FILE.size) {
        lost.set(adapter, unit)
        continue
      }
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
  // What one adapter failed over may be another's, who found it.
  for (const { path } of lost.values()) if (units.has(path)) failed.delete(path)
  const shares = await claim(found, options.adapters, {
    known: (path) => owners.get(path),
    reader,
    onFailed: (unit, error) => void failed.set(unit.path, error),
  })
  const none = [...shares.values()].every((share) => share.length === 0)
  warnings.push(...(await notRead(options, { reader, claimed: new Set([...shares.values()].flat().map(({ path }) => path)), none })))
  for (const [adapter, unit] of lost) if (failed.has(unit.path)) shares.get(adapter)?.push(unit)
  const plan = [...shares].map(([adapter, share], i): [Adapter, Planned] => [
    adapter,
    {
      units: share,
      warnings: i === 0 ? [...new Set(warnings)] : [],
      reader: i === 0 ? reader : unitReader(options.store.openSource),
      failed,
    },
  ])
  return new Map(plan)
}

const LISTED = 10

interface NotRead {
  readonly reader: CountingReader
  readonly claimed: ReadonlySet<string>
  /** Nothing came of the path: somebody will wonder why. */
  readonly none: boolean
}

/**
 * What lies below the path and is not read because its source is off. Of sources that need consent every file is listed: to name the
 * file itself is to consent. Of others one is, where nothing else came of the path.
 */
async function notRead({ dormant = [], needsConsent = () => false, ...options }: SyncSourcesOptions, at: NotRead): Promise<string[]> {
  const said: string[] = []
  for (const adapter of dormant) {
    const personal = needsConsent(adapter)
    if (!personal && !at.none) continue
    const states = await loadStates(options.store, adapter.name)
    // Many files may lie there that are nobody's: their beginnings are looked at only where nothing else came of the path.
    const isWorth = (path: string) => at.none || (adapter.likely?.(path) ?? true)
    const units = (await discover(adapter, { warnings: [], failed: new Map() }, options)).filter(
      (unit) => !at.claimed.has(unit.path) && isWorth(unit.path) && !isUnchanged(unit, states.get(unit.path)),
    )
    const found = new Map(units.map((unit) => [unit, new Set<Adapter>()]))
    const unread = new Set<SourceUnit>()
    const claims = { known: () => undefined, reader: at.reader, onFailed: (unit: SourceUnit) => void unread.add(unit) }
    const share = ((await claim(found, [adapter], claims)).get(adapter) ?? []).filter((unit) => !unread.has(unit))
    for (const { path } of share.slice(0, personal ? LISTED : 1)) {
      const command = personal ? `--path ${shellWord(path)}` : `--adapter ${adapter.name} --path ${shellWord(path)}`
      said.push(`${path} was not read: ${adapter.name} is off. Read it: mnemonic sync ${command}`)
    }
    if (personal && share.length > LISTED)
      said.push(
        `${share.length - LISTED} more files of ${adapter.name} were not read. Read all: mnemonic sync --adapter ${adapter.name} --path ${shellWord(options.path ?? '')}`,
      )
  }
  return said
}

/** As it is typed: quoted where a shell would take it apart. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

type Run = ReturnType<typeof newRun>

function newRun() {
  const counts = { found: 0, imported: 0, unchanged: 0, quarantined: 0, records: 0, repeated: 0, skippedLines: 0 }
  return { ...counts, warnings: [] as string[], unknown: runDrift() }
}

type ReadOptions = SyncSourcesOptions & { readonly reader: CountingReader; readonly failed: Planned['failed'] }
type AdapterOptions = ReadOptions & { readonly run: Run; readonly tombstones: TombstoneReader }
type Write = UnitContext['write']

async function syncAdapter(adapter: Adapter, found: readonly SourceUnit[], options: ReadOptions): Promise<Run> {
  const readTombstones = tombstoneReader()
  const tombstones = await readTombstones({ db: options.store.read })
  const units = tombstones === undefined ? found : found.map((unit) => namedUnit(unit, tombstones))
  const states = await loadStates(options.store, adapter.name)
  const run = newRun()
  run.found = units.length
  const changed = options.reread ? units : units.filter((unit) => !isUnchanged(unit, states.get(unitName(unit))))
  run.unchanged = units.length - changed.length
  let done = 0
  for (const group of groups(await oldestFirst(adapter, changed, states, options.reader), states, options.reread ?? false)) {
    const tell = (unit: SourceUnit) =>
      options.onProgress?.({ stage: 'ingest', adapter: adapter.name, done: done++, total: changed.length, path: unit.path })
    const read = async (unit: SourceUnit, write: Write) => {
      tell(unit)
      await readUnit(adapter, unit, states.get(unitName(unit)), { ...options, run, write, tombstones: readTombstones })
    }
    await readGroup(group, read, options)
    await options.afterGroup()
  }
  await releaseVanished(options.store, adapter.name, (path) => options.failed.has(path))
  return run
}

function namedUnit(unit: SourceUnit, tombstones: Tombstones): SourceUnit {
  return tombstones.holds('path', unit.path) ? { ...unit, name: tombstones.nameFor('path', unit.path) } : unit
}

/** Small units share a transaction: each commit has a price, and the pages of an index are written once for all of them. */
const GROUP_BYTES = 8 << 20
const GROUP_UNITS = 200

function* groups(units: readonly SourceUnit[], states: ReadonlyMap<string, UnitState>, reread: boolean): Generator<SourceUnit[]> {
  let group: SourceUnit[] = []
  let bytes = 0
  for (const unit of units) {
    const size = reread ? unit.size : unit.size - Math.min(unit.size, states.get(unitName(unit))?.offset ?? 0)
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
  const { reader, clock, quietMs, ignore, signal, run, write, tombstones, failed, reread = false } = options
  try {
    if (failed.has(unit.path)) throw failed.get(unit.path)
    const outcome = await syncUnit(unit, state, { adapter, reader, clock, quietMs, ignore, signal, write, tombstones, reread })
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
