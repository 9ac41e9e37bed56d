import { asMnemonicError, type MnemonicError } from '../core/error.ts'
import type { UnitProgress } from '../core/progress.ts'
import { redactVisible } from '../core/redact.ts'
import { plural } from '../core/text.ts'
import type { WriteTx } from '../store/store.ts'
import { type TombstoneReader, type Tombstones, tombstoneReader } from '../tombstones/tombstones.ts'
import type { Adapter, SourceUnit } from './adapter.ts'
import { runDrift } from './drift.ts'
import { type OpenUnit, unitOpener } from './open-unit.ts'
import type { Planned } from './plan-sync.ts'
import { quarantine, release, releaseVanished } from './quarantine.ts'
import type { SyncSourcesOptions } from './sync-options.ts'
import type { AdapterReport } from './sync-report.ts'
import { isUnchanged, loadStates, removeState, saveState, type UnitState, unitName } from './sync-state.ts'
import { syncUnit, type UnitContext } from './sync-unit.ts'
import type { CountingReader } from './unit-reader.ts'
import { removeMirrored } from './unit-writer.ts'

export async function syncAdapter(planned: Planned, options: SyncSourcesOptions): Promise<AdapterReport> {
  const started = performance.now()
  const { adapter, reader } = planned
  const run = await readChanged(planned, options)
  const { warnings, unknown, skippedLines, ...counts } = run
  return {
    name: adapter.name,
    ...counts,
    skipped_lines: skippedLines,
    bytes_read: reader.bytesRead(),
    duration_ms: Math.round(performance.now() - started),
    warnings: collapsed([...planned.warnings, ...warnings, ...unknown.warnings(adapter.name), ...leftOut(adapter.name, run.ignored)]),
  }
}

function leftOut(adapter: string, ignored: number): string[] {
  return ignored === 0 ? [] : [`${adapter}: ${plural(ignored, 'event')} left out, as ignore.channels and ignore.contacts say`]
}

/** Warnings that repeat across a folder: the single form, and the summary. */
const ALIKE = [
  { each: /^no conversation in |: no conversation in it$/, all: 'files hold no conversation' },
  { each: /^not an? [^:]{1,60}: /, all: 'files are of another format' },
]
const FEW = 3

function collapsed(warnings: readonly string[]): string[] {
  return ALIKE.reduce<string[]>((left, { each, all }) => {
    const alike = left.filter((warning) => each.test(warning))
    if (alike.length <= FEW) return left
    const first = (alike[0] ?? '').replace(each, '')
    return [...left.filter((warning) => !each.test(warning)), `${alike.length} ${all} (the first: ${first})`]
  }, warnings.map(redactVisible))
}

type Run = ReturnType<typeof newRun>

function newRun() {
  const counts = { found: 0, imported: 0, unchanged: 0, quarantined: 0, records: 0, repeated: 0, removed: 0, ignored: 0, skippedLines: 0 }
  return { ...counts, warnings: [] as string[], unknown: runDrift() }
}

type States = ReadonlyMap<string, UnitState>
type Write = UnitContext['write']
type ReadOptions = SyncSourcesOptions & {
  readonly planned: Planned
  readonly run: Run
  readonly open: OpenUnit
  readonly tombstones: TombstoneReader
  readonly onRead: UnitContext['onRead']
}

async function readChanged(planned: Planned, options: SyncSourcesOptions): Promise<Run> {
  const { adapter, reader } = planned
  const { store, reread = false } = options
  const tombstones = tombstoneReader()
  const units = withoutForgotten(planned.units, await tombstones({ db: store.read }))
  const states = await loadStates(store, adapter.name)
  const changed = reread ? units : units.filter((unit) => !isUnchanged(unit, states.get(unitName(unit))))
  const run = newRun()
  run.unchanged = reread ? 0 : countUnchanged(adapter, units, states)
  const ordered = await oldestFirst(adapter, changed, states, reader)
  const open = openerOf(planned, { ordered, states }, options)
  let done = 0
  for (const group of groups(ordered, states, reread)) {
    const read = async (unit: SourceUnit, write: Write) => {
      const { onProgress } = options
      const at = { stage: 'ingest' as const, adapter: adapter.name, done: done++, total: changed.length, path: unit.path }
      onProgress?.(at)
      const onRead = onProgress && ((within: UnitProgress) => onProgress({ ...at, within }))
      await readUnit(unit, states.get(unitName(unit)), { ...options, planned, run, open, write, tombstones, onRead })
    }
    await readGroup(group, read, options)
    // A mirror is indexed once complete.
    if (!adapter.mirrors) await options.afterGroup()
  }
  const isThere = adapter.mirrors && (await removeGone(planned, { units, states, run }, options))
  await releaseVanished(store, adapter.name, { fails: (path) => planned.failed.has(path), isThere })
  run.found = run.imported + run.unchanged + run.quarantined
  return run
}

function openerOf(
  { adapter, reader, failed }: Planned,
  { ordered, states }: { readonly ordered: readonly SourceUnit[]; readonly states: States },
  { reread = false, readAhead }: SyncSourcesOptions,
): OpenUnit {
  const reading = { adapter, reader, reread }
  const units = ordered.filter(({ path }) => !failed.has(path)).map((unit) => ({ unit, state: states.get(unitName(unit)) }))
  return readAhead?.(reading, units) ?? unitOpener(reading)
}

function withoutForgotten(units: readonly SourceUnit[], tombstones: Tombstones | undefined): readonly SourceUnit[] {
  if (tombstones === undefined) return units
  return units.flatMap((unit) => {
    if (unit.name !== undefined) return tombstones.holds('document', unit.name) ? [] : [unit]
    return [tombstones.holds('path', unit.path) ? { ...unit, name: tombstones.nameFor('path', unit.path) } : unit]
  })
}

function countUnchanged(adapter: Adapter, units: readonly SourceUnit[], states: States): number {
  return units.filter((unit) => {
    const state = states.get(unitName(unit))
    return isUnchanged(unit, state) && !(adapter.mirrors && state?.status === 'done' && state.records === 0)
  }).length
}

/** Small units share a transaction: commits are expensive, and index pages are written once. */
const GROUP_BYTES = 8 << 20
const GROUP_UNITS = 200

function* groups(units: readonly SourceUnit[], states: States, reread: boolean): Generator<SourceUnit[]> {
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
    // A single, possibly large unit commits batch by batch.
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

async function readUnit(unit: SourceUnit, state: UnitState | undefined, options: ReadOptions & { readonly write: Write }): Promise<void> {
  const { planned, run, open, write, tombstones, clock, quietMs, ignore, ignoreEvents, signal, onRead, reread = false } = options
  const { adapter, reader, failed } = planned
  try {
    if (failed.has(unit.path)) throw failed.get(unit.path)
    const outcome = await syncUnit(unit, state, {
      ...{ adapter, open, reader, clock, quietMs, ignore, ignoreEvents, signal, write, tombstones, reread, onRead },
    })
    run.records += outcome.records
    run.repeated += outcome.repeated
    run.skippedLines += outcome.skippedLines
    run.ignored += outcome.ignored
    run.warnings.push(...outcome.warnings)
    run.unknown.add(unit.path, outcome.unknown)
    // An empty mirror file does not belong to this source.
    if (adapter.mirrors && outcome.given === 0) {
      if (outcome.changed) run.removed += 1
      return
    }
    if (outcome.changed) run.imported += 1
    else run.unchanged += 1
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    // Content errors stop one unit; database and lease errors stop the run.
    if (!['NOT_THIS_FORMAT', 'VALIDATION_ERROR', 'SOURCE_UNREADABLE', 'PARSE_ERROR', 'INTERNAL'].includes(error.code)) throw thrown
    run.warnings.push(error.message.includes(unit.path) ? error.message : `${unit.path}: ${error.message}`)
    // A repeated failure of the same content is not counted again.
    const { isNews, removed } = await write((tx) => setAside(tx, adapter, unit, { error, now: clock() }))
    if (removed) run.removed += 1
    if (isNews) run.quarantined += 1
    else run.unchanged += 1
  }
}

async function setAside(tx: WriteTx, adapter: Adapter, unit: SourceUnit, why: { error: MnemonicError; now: number }) {
  let removed = false
  // An unopenable file is retried every run, even without changes.
  if (why.error.code !== 'SOURCE_UNREADABLE') {
    const { size, mtimeMs } = unit
    removed = await removeMirrored(tx, adapter, unitName(unit))
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
  return { removed, isNews: await quarantine(tx, adapter.name, unit, why) }
}

/** Keeps units below folders that could not be listed. Returns whether a unit is, or may be, there. */
async function removeGone(
  { adapter, unlisted }: Planned,
  { units, states, run }: { readonly units: readonly SourceUnit[]; readonly states: States; readonly run: Run },
  { store, guard }: SyncSourcesOptions,
): Promise<(name: string) => boolean> {
  const there = new Set(units.map(unitName))
  const isThere = (name: string) =>
    there.has(name) || unlisted.some((folder) => folder === '' || name === folder || name.startsWith(`${folder}/`))
  const gone = [...states.keys()].filter((name) => !isThere(name))
  for (let from = 0; from < gone.length; from += GROUP_UNITS) {
    await store.write(async (tx) => {
      await guard(tx)
      for (const name of gone.slice(from, from + GROUP_UNITS)) {
        if (await removeMirrored(tx, adapter, name)) run.removed += 1
        await removeState(tx, adapter.name, name)
        await release(tx, adapter.name, name)
      }
    })
  }
  return isThere
}

/** Known units first, then new ones by age: a shared message belongs to the session that said it first. */
async function oldestFirst(adapter: Adapter, units: readonly SourceUnit[], states: States, reader: CountingReader): Promise<SourceUnit[]> {
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
