/** Each transaction stores records together with their end position, so a killed process can always resume. */

import { isAnalysisFolder, isAnalysisPrompt } from '../core/analysis-session.ts'
import type { Clock } from '../core/clock.ts'
import { UNCLOSED } from '../core/marked-text.ts'
import type { UnitProgress } from '../core/progress.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { plural } from '../core/text.ts'
import type { AgentRecord } from '../ledgers/agent-record.ts'
import { dropPendingTitles } from '../ledgers/pending-titles.ts'
import type { WriteTx } from '../store/store.ts'
import type { TombstoneReader } from '../tombstones/tombstones.ts'
import type { Adapter, ReadItem, SourceUnit } from './adapter.ts'
import { unitDrift } from './drift.ts'
import type { IgnoresEvent } from './ignore-events.ts'
import type { OpenUnit } from './open-unit.ts'
import { type Locate, projectLocator, withKnownProjects, withProject } from './project-of.ts'
import { release } from './quarantine.ts'
import {
  type Carry,
  carryOf,
  carryWithoutForgotten,
  ownOnly,
  saveProgress,
  sharedSessions,
  tailHash,
  type UnitState,
  unitName,
} from './sync-state.ts'
import type { CountingReader } from './unit-reader.ts'
import { type Records, type UnitWriter, unitWriter } from './unit-writer.ts'
import { untilStopped } from './until-stopped.ts'

const BATCH_BYTES = 4 << 20
const BATCH_RECORDS = 2000
const ITEMS_A_BREATH = 1000
const TOLD_MS = 200

export interface UnitContext {
  readonly adapter: Adapter
  readonly open: OpenUnit
  readonly write: <T>(work: (tx: WriteTx) => Promise<T>) => Promise<T>
  readonly reader: CountingReader
  readonly clock: Clock
  readonly quietMs: number
  readonly ignore: (project: string) => boolean
  readonly ignoreEvents: (() => Promise<(() => IgnoresEvent) | undefined>) | undefined
  readonly tombstones: TombstoneReader
  /** Ignores checkpoints, to fill in what older versions lacked. */
  readonly reread: boolean
  readonly signal: AbortSignal | undefined
  readonly onRead?: ((within: UnitProgress) => void) | undefined
}

export interface UnitOutcome {
  readonly records: number
  /** On a unit's first read: records stored from another unit. */
  readonly repeated: number
  readonly given: number
  readonly changed: boolean
  readonly skippedLines: number
  readonly ignored: number
  readonly warnings: readonly string[]
  readonly unknown: ReadonlyMap<string, number>
}

export async function syncUnit(unit: SourceUnit, state: UnitState | undefined, context: UnitContext): Promise<UnitOutcome> {
  const { adapter, reader, clock, quietMs, reread } = context
  const carry = carryOf(state)
  const { since, items } = await context.open(unit, state)
  const writer = unitWriter({
    ...{ adapter, unit: unitName(unit), clock, quietMs, own: carry.own, tombstones: context.tombstones },
    fillsGaps: reread || adapter.fillsGaps === true,
    shared: sharedSessions(adapter.name, unit, carry.own),
  })
  writer.resume(carry.touched)
  const ignored = new Set(since === undefined ? [] : carry.ignored)
  const tally = newTally(unit)
  const locate = locatorOf(reader)
  const at = { offset: since?.offset ?? 0, carry: since?.carry }
  let batch = newBatch()
  let written = at.offset
  let [records, repeats] = [0, 0]

  async function flush(status: 'reading' | 'done'): Promise<void> {
    const tail_hash = at.offset === 0 || adapter.rewritten || unit.once ? null : await tailHash(unit.path, at.offset, reader)
    await context.write(async (tx) => {
      const { added, repeated } = await writer.apply(tx, { ...batch, agent: await withKnownProjects(tx, batch.agent, locate) })
      records += added
      if (state === undefined) repeats += repeated
      const touched = status === 'reading' ? writer.touched() : []
      if (status === 'done') {
        await writer.finish(tx)
        await release(tx, adapter.name, unitName(unit))
      }
      // A rewritten unit lists its sessions itself; only the main one is kept.
      const own = [...new Set([...carry.own, ...writer.sessions()])].slice(0, adapter.rewritten ? 1 : undefined)
      const startsOver = writer.startsOver() && (status === 'reading' || !adapter.rewritten)
      const carried: Carry = { adapter: at.carry, own, touched, ignored: [...ignored], ...(startsOver ? { startsOver } : {}) }
      const clean = carryWithoutForgotten(carried, adapter.name, await context.tombstones(tx))
      const isFenced = writer.leavesOutSession() || clean.ofSession
      // The resume state contained forgotten data, or resuming is impossible: reread from the start.
      const hidden = unit.once || !clean.isKept || (isFenced && !adapter.rewritten)
      const reading = readingOf(adapter, since)
      // A forgotten path belongs to a forgotten log, whatever it holds now.
      if (isFenced || unit.name !== undefined) await dropPendingTitles(tx, unitName(unit), clock)
      await tally.unknown.save(tx, { adapter: adapter.name, path: unitName(unit), now: clock(), isFenced, reading })
      await saveProgress(tx, {
        adapter: adapter.name,
        path: unitName(unit),
        size: unit.size,
        mtime_ms: unit.mtimeMs,
        // A rewritten unit goes on from its carry. Its offset counts one read only, so it would differ after an interrupted one.
        offset: hidden || adapter.rewritten ? 0 : at.offset,
        tail_hash: hidden ? null : tail_hash,
        carry_json: hidden ? ownOnly(unit.once ? [] : clean.carry.own) : JSON.stringify(clean.carry),
        // Mirror: current content. Ledger: total from this unit.
        records: adapter.mirrors ? tally.given : (since === undefined && !reread ? 0 : (state?.records ?? 0)) + records,
        status,
        session_id: mainSession(writer, clean.carry.own),
        reads: since === undefined && (status === 'done' || state === undefined) ? (adapter.readerVersion ?? 0) : (state?.reads ?? 0),
        updated_at: clock(),
      })
    })
    batch = newBatch()
    written = at.offset
  }

  const ignores = adapter.addressBook ? undefined : (await context.ignoreEvents?.())?.()
  let seen = 0
  const tell = teller(unit, context)
  for await (const item of untilStopped(adapter, items, context.signal)) {
    // Yields even if the adapter never awaits, so that signals arrive.
    if (++seen % ITEMS_A_BREATH === 0) await new Promise((resolve) => setImmediate(resolve))
    throwIfStopped(context.signal, 'sync')
    if (item.type === 'checkpoint') {
      Object.assign(at, { offset: item.offset, carry: item.carry })
      tell?.(at.offset, tally.said)
      if (at.offset - written < BATCH_BYTES && batch.agent.length + batch.event.length + batch.contact.length < BATCH_RECORDS) continue
      await flush('reading')
    } else if (item.type === 'record') {
      tally.given += 1
      tally.look(item.record)
      const record = withProject(item.record, locate)
      if (!isOfAnalysis(record, tally.spoken, ignored, batch) && keep([item.record, record], ignored, context.ignore)) {
        batch.agent.push({ source: item.source ?? adapter.name, record })
        if (record.type === 'message') tally.said += 1
      }
    } else if (item.type === 'event' && ignores?.(item.record)) tally.ignored += item.record.type === 'thread' ? 0 : 1
    else if (item.type === 'event' || item.type === 'contact' || item.type === 'document') collect(item, batch, tally)
    else tally.note(item)
  }
  for (const reason of reader.passedOver()) tally.note({ type: 'bad_line', line: 0, reason })
  throwIfStopped(context.signal, 'sync')
  await flush('done')
  return {
    records,
    repeated: repeats,
    given: tally.given,
    changed: writer.changed(),
    skippedLines: tally.skippedLines,
    ignored: tally.ignored,
    // Warn of an empty unit only if all of it was read; mirrors have no conversations.
    warnings: tally.warnings(adapter.mirrors !== undefined || since !== undefined || ignored.size > 0),
    unknown: tally.unknown.seen,
  }
}

/** Throttled. Database offsets mean nothing, so they are not reported. */
function teller({ size }: SourceUnit, { adapter, onRead }: UnitContext): ((offset: number, records: number) => void) | undefined {
  if (onRead === undefined) return undefined
  let told = performance.now()
  return (offset, records) => {
    if (performance.now() - told < TOLD_MS) return
    told = performance.now()
    const inOrder = adapter.rewritten !== true && offset > 0 && (size === 0 || offset < size)
    onRead({ records, bytes: inOrder ? offset : null, size })
  }
}

type Batch = { [K in keyof Records]: Records[K][number][] }

function collect(item: Extract<ReadItem, { type: 'event' | 'contact' | 'document' }>, batch: Batch, tally: Tally): void {
  tally.given += 1
  if (item.type === 'event') tally.look(item.record)
  if (item.type === 'document') batch.document.push(item.record)
  else if (item.type === 'contact') batch.contact.push(item.record)
  else batch.event.push(item.record)
  if (item.type === 'contact' || (item.type === 'event' && item.record.type !== 'thread')) tally.said += 1
}

function newBatch(): Batch {
  return { agent: [], event: [], contact: [], document: [] }
}

function mainSession(writer: UnitWriter, own: readonly string[]): string | null {
  return own[0] ?? writer.sessions()[0] ?? null
}

/** Skips sessions that start with one of our own analysis prompts, sent through a harness. */
function isOfAnalysis(record: AgentRecord, spoken: Set<string>, ignored: Set<string>, batch: Batch): boolean {
  if (record.type !== 'message' || record.role !== 'user' || spoken.has(record.session)) return false
  spoken.add(record.session)
  if (!isAnalysisPrompt(record.text)) return false
  ignored.add(record.session)
  // Also drops earlier records of the session in this batch.
  batch.agent.splice(0, batch.agent.length, ...batch.agent.filter((one) => one.record.session !== record.session))
  return true
}

/** False for ignored folders and projects, and for our own analyses. */
function keep(versions: readonly [AgentRecord, AgentRecord], ignored: Set<string>, ignore: (project: string) => boolean): boolean {
  const [record] = versions
  const folders = versions.flatMap((one) => (one.type === 'session' ? [one.project, one.workspacePath] : []))
  if (record.type === 'session' && folders.some((folder) => folder !== undefined && (ignore(folder) || isAnalysisFolder(folder))))
    ignored.add(record.session)
  if (record.type === 'title' && record.session === undefined) return ignored.size === 0
  return record.session === undefined || !ignored.has(record.session)
}

/** Cached per run, as long as the run's shared reader lives. */
const locators = new WeakMap<CountingReader, Locate>()

function locatorOf(reader: CountingReader): Locate {
  const locate = locators.get(reader) ?? projectLocator()
  locators.set(reader, locate)
  return locate
}

/** Counts can be there without a state: a repair forgets the states alone. */
function readingOf(adapter: Adapter, since: unknown) {
  if (since === undefined) return 'again'
  return adapter.rewritten ? 'rewritten' : 'further'
}

/** Tool parameters and results nest texts. */
function wasCut(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(UNCLOSED)
  return typeof value === 'object' && value !== null && Object.values(value).some(wasCut)
}

type Tally = ReturnType<typeof newTally>

function newTally(unit: SourceUnit) {
  const notes: string[] = []
  const unknown = unitDrift()
  let firstBad: string | undefined
  let unclosed = 0
  return {
    look(record: object) {
      if (wasCut(record)) unclosed += 1
    },
    given: 0,
    said: 0,
    spoken: new Set<string>(),
    ignored: 0,
    skippedLines: 0,
    unknown,
    note(item: Extract<ReadItem, { type: 'bad_line' | 'unknown' | 'warning' }>) {
      if (item.type === 'warning') notes.push(item.message)
      else if (item.type === 'unknown') unknown.note(item.name)
      else {
        this.skippedLines += 1
        // Database rows have names instead of line numbers.
        firstBad ??= item.line === 0 ? item.reason : `line ${item.line}: ${item.reason}`
      }
    },
    /** `quiet`: an empty unit is expected. */
    warnings(quiet: boolean): string[] {
      const warnings = [...notes]
      if (firstBad !== undefined) warnings.push(`${unit.path}: skipped ${plural(this.skippedLines, 'bad line')} (${firstBad})`)
      if (unclosed > 0)
        warnings.push(`${unit.path}: ${plural(unclosed, 'record')} with <private> and no </private>, not stored from there to the end`)
      if (this.said + this.ignored === 0 && !quiet && notes.length === 0) warnings.push(`${unit.path}: no conversation in it`)
      return warnings
    },
  }
}
