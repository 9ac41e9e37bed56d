/**
 * Salvages into a new file, then swaps the content in one transaction: a crash leaves either state. Forgetting knows of a kept damaged
 * copy.
 */
import { statSync } from 'node:fs'
import type { Paths } from '../config/paths.ts'
import { renameDurably } from '../core/atomic-file.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { TABLES } from '../forget/registry.ts'
import { noteCopies } from '../store/copies.ts'
import type { DamagedDatabase, DatabaseFiles, Salvaged } from '../store/database-file.ts'
import { requireRoom } from './disk-space.ts'
import { removeDatabaseLeftovers } from './leftovers.ts'

/** snake_case: part of the JSON of `doctor --repair`. */
export interface LostRows {
  readonly table: string
  /** null: unknown. */
  readonly rows: number | null
  readonly ids: readonly string[]
}

export interface RepairPlan {
  readonly database: string
  readonly faults: readonly string[]
  /** Ledger rows, unless a source or backup has them. */
  readonly lost: readonly LostRows[]
  readonly rebuilt: readonly string[]
}

export interface RepairReport extends RepairPlan {
  /** null: it was removed. */
  readonly kept: string | null
  readonly duration_ms: number
}

export interface RepairOptions {
  /** Called before any change. */
  readonly confirm?: (plan: RepairPlan) => Promise<boolean>
  readonly keep?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface RepairContext {
  readonly files: DatabaseFiles
  readonly paths: Paths
  readonly clock: Clock
  /** For tests that stop the process at a step. */
  readonly onStep?: (step: RepairStep) => void
}

export type RepairStep = 'copy' | 'salvage' | 'replace' | 'note' | 'end'

const STAGED = '.repairing-'
const TRIES = 3

/** Undefined if declined. */
export async function repair(context: RepairContext, options: RepairOptions = {}): Promise<RepairReport | undefined> {
  const { files, paths, clock, onStep } = context
  const { confirm, keep = false, signal } = options
  const started = performance.now()
  removeDatabaseLeftovers(paths)
  const live = files.openDamaged(paths.database)
  const base = `${paths.database}${STAGED}${process.pid}`
  const copies = { damaged: `${base}-damaged`, staged: `${base}-whole` }
  try {
    await requireRoom(paths.home, statSync(paths.database).size * (keep ? 3.2 : 2.2))
    let agreed: RepairPlan | undefined
    for (let tries = 1; tries <= TRIES; tries++) {
      const plan = await makeWhole(context, { live, ...copies }, options)
      if (plan.faults.length === 0) return reportOf(plan, null, started)
      if (confirm !== undefined && (agreed === undefined || isWorse(plan, agreed)) && !(await confirm(plan))) return undefined
      agreed = plan
      onStep?.('replace')
      if (!(await live.replaceWith(copies.staged, copyHooks(options)))) continue
      onStep?.('note')
      const kept = keep ? `${paths.database}.damaged-${new Date(clock()).toISOString().replaceAll(':', '-')}` : null
      if (kept !== null) await keepDamaged(context, copies.damaged, kept)
      await live.emptyLog()
      onStep?.('end')
      return reportOf(plan, kept, started)
    }
    throw new MnemonicError('DATABASE_BUSY', 'another process kept writing while the database was being repaired', {
      details: { path: paths.database },
      hint: 'Nothing was changed. End it (mnemonic health names jobs that run), then run it again.',
    })
  } finally {
    live.close()
    for (const path of Object.values(copies)) files.remove(path)
    signal?.throwIfAborted()
  }
}

interface Making {
  readonly live: DamagedDatabase
  readonly damaged: string
  readonly staged: string
}

/** Holds the write lock: the copy must match the content to replace. */
async function makeWhole(context: RepairContext, { live, damaged, staged }: Making, options: RepairOptions): Promise<RepairPlan> {
  const { files, paths, clock, onStep } = context
  await live.lock(options.signal)
  try {
    live.requireNoLease(clock)
    onStep?.('copy')
    await files.copyPages(paths.database, damaged, copyHooks(options))
    const faults = files.faults(damaged)
    if (faults.length === 0) return { database: paths.database, faults, lost: [], rebuilt: [] }
    onStep?.('salvage')
    files.remove(staged)
    const salvaged = files.salvage(damaged, staged)
    const left = files.faults(staged)
    if (left.length > 0)
      throw new MnemonicError('STORAGE_ERROR', `what could be saved of ${paths.database} is not whole: ${left[0]}`, {
        details: { path: paths.database, faults: left },
        hint: 'Nothing was changed. Restore a backup: mnemonic restore FILE.',
      })
    return planOf(paths.database, faults, salvaged)
  } finally {
    live.unlock()
  }
}

function planOf(
  database: string,
  faults: readonly string[],
  { tables, emptied, sessions_without_header, removed_with_parent }: Salvaged,
): RepairPlan {
  const lost = tables.filter(({ name }) => !isDerived(name)).map(({ name, lost: rows, names }) => ({ table: name, rows, ids: names }))
  for (const [table, rows] of Object.entries(removed_with_parent)) if (!isDerived(table)) lost.push({ table, rows, ids: [] })
  const rebuilt = new Set([...emptied, ...tables.map(({ name }) => name).filter(isDerived)])
  return { database, faults, lost: withHeaders(lost, sessions_without_header), rebuilt: [...rebuilt].sort() }
}

/** Tables without personal content that cannot be rebuilt. */
const KEPT: ReadonlySet<string> = new Set([
  ...['agent_session_history', 'tombstones', 'llm_spend', 'access_counts', 'analysis_types', 'episode_definitions', 'embedding_configs'],
])

/** Rewritten by the next sync. */
const READ_AGAIN: ReadonlySet<string> = new Set(['sync_state', 'quarantine', 'format_drift', 'discussion_waiting', 'jobs'])

function isDerived(name: string): boolean {
  if (READ_AGAIN.has(name)) return true
  const kind = TABLES[name]?.kind
  return kind === undefined || kind === 'derived' || (kind === 'none' && !KEPT.has(name))
}

/** Remaining rows still name sessions whose header is lost. */
function withHeaders(lost: readonly LostRows[], sessions: readonly string[]): LostRows[] {
  return lost.map((one) => (one.table === 'agent_sessions' && one.rows === null ? { ...one, ids: sessions } : one))
}

function isWorse(plan: RepairPlan, agreed: RepairPlan): boolean {
  return JSON.stringify(plan.lost) !== JSON.stringify(agreed.lost)
}

async function keepDamaged({ files, paths }: RepairContext, damaged: string, kept: string): Promise<void> {
  const store = await files.open(paths.database)
  try {
    await store.write((tx) => noteCopies(tx, 'backups', [kept]))
  } finally {
    await store.close()
  }
  renameDurably(damaged, kept)
}

function reportOf(plan: RepairPlan, kept: string | null, started: number): RepairReport {
  return { ...plan, kept, duration_ms: Math.round(performance.now() - started) }
}

function copyHooks({ onProgress, signal }: RepairOptions) {
  return { onBytes: (done: number, total: number) => onProgress?.({ stage: 'copy', done, total }), signal }
}
