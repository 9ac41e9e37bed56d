/** Replaces the content in one step: a crash leaves either state. Nothing forgotten comes back. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { renameDurably } from '../core/atomic-file.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { isRunning } from '../core/is-running.ts'
import type { OnProgress } from '../core/progress.ts'
import { isoOrNull } from '../core/time.ts'
import { noteCopies } from '../store/copies.ts'
import type { DatabaseFacts, DatabaseFiles } from '../store/database-file.ts'
import { LEASE_MS } from '../store/job.ts'
import { requireNoLease, withLeases } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { requireFile } from '../store/store-file.ts'
import { PARTIAL } from './backup.ts'
import { requireRoom } from './disk-space.ts'
import { type Prepared, prepareStaged } from './restore-prepare.ts'
import { isDatabase } from './target-file.ts'

/** snake_case: part of the JSON of `restore`. */
export interface Holdings {
  readonly sessions: number
  readonly messages: number
  readonly events: number
  readonly last_message_at: string | null
}

export interface RestorePlan {
  readonly path: string
  readonly backup: Holdings
  /** null: none yet; damaged: kept aside. */
  readonly current: Holdings | 'damaged' | null
}

/** snake_case: the JSON of `restore`. */
export interface RestoreReport extends Holdings {
  readonly path: string
  readonly database: string
  /** null: there was none. */
  readonly kept: string | null
  /** Backup records forgotten since, left out. */
  readonly forgotten: number
  readonly duration_ms: number
}

export interface RestoreOptions {
  /** Called before any change. */
  readonly confirm?: (plan: RestorePlan) => Promise<boolean>
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface RestoreContext {
  readonly files: DatabaseFiles
  readonly paths: Paths
  readonly clock: Clock
  readonly quietMs: number
}

const STAGED = '.restoring-'
/** The timeout is short, because a person waits. */
const LEASE = { job: 'restore', ttlMs: LEASE_MS, waitMs: 10_000 }
const TRIES = 3

/** Undefined if declined. */
export async function restore(context: RestoreContext, file: string, options: RestoreOptions = {}): Promise<RestoreReport | undefined> {
  const { files, paths } = context
  const started = performance.now()
  const path = resolve(file)
  if (isDatabase(path, paths)) {
    throw new MnemonicError('USAGE', `${path} is the database itself`, { hint: 'Give a file that mnemonic backup wrote.' })
  }
  mkdirSync(paths.home, { recursive: true, mode: 0o700 })
  removeLeftovers(context)
  const current = currentOf(context)
  const staged = `${paths.database}${STAGED}${process.pid}`
  try {
    await files.copy(path, staged, copyHooks(options))
    const backup = files.check(staged)
    await requireRoom(paths.home, backup.bytes * 2 + (typeof current === 'object' && current !== null ? current.bytes : 0))
    const plan = { path, backup: holdings(backup), current: current === null || current === 'damaged' ? current : holdings(current) }
    if (options.confirm !== undefined && !(await options.confirm(plan))) return undefined
    const { kept, forgotten, facts } =
      current === null || current === 'damaged'
        ? await putInPlace(context, { staged, path, damaged: current === 'damaged' })
        : await replaceContent(context, { staged, path }, options)
    return {
      ...{ path, database: paths.database, kept, ...holdings(facts), forgotten },
      duration_ms: Math.round(performance.now() - started),
    }
  } finally {
    files.remove(staged)
  }
}

interface Replaced {
  readonly kept: string | null
  readonly forgotten: number
  readonly facts: DatabaseFacts
}

/** Holds all leases, since concurrent writes would be lost. Writes in place, since others keep the file open. */
async function replaceContent(
  context: RestoreContext,
  { staged, path }: { readonly staged: string; readonly path: string },
  options: RestoreOptions,
): Promise<Replaced> {
  const { files, paths, clock } = context
  const { signal, onProgress } = options
  const live = await files.open(paths.database)
  try {
    const names = await leaseNames(live)
    return await withLeases(live, names, { ...LEASE, clock, signal, onProgress }, async () => {
      await requireNoLease(live, clock, names)
      const kept = await keepAside(context, live, options)
      const replaced = await replaceKept(context, { staged, path, live, kept }, options).catch((error: unknown) => {
        files.remove(kept) // nothing was replaced: drop the extra copy
        throw error
      })
      await requireFile(live, 'restore').erase()
      return replaced
    })
  } finally {
    await live.close()
  }
}

interface Replacing {
  readonly staged: string
  readonly path: string
  readonly live: Store
  readonly kept: string
}

async function replaceKept(context: RestoreContext, { staged, path, live, kept }: Replacing, options: RestoreOptions): Promise<Replaced> {
  let forgotten = 0
  for (let tries = 1; tries <= TRIES; tries++) {
    const prepared = await prepare(context, { staged, live, copies: [kept, path] })
    forgotten += prepared.forgotten
    const facts = context.files.facts(staged)
    const expectMeta = { tombstone_revision: prepared.revision }
    if (await requireFile(live, 'restore').replaceWith(staged, { expectMeta, ...copyHooks(options) })) return { kept, forgotten, facts }
  }
  throw stillMoving(context.paths.database)
}

/** No process has this database open. */
async function putInPlace(
  context: RestoreContext,
  { staged, path, damaged }: { readonly staged: string; readonly path: string; readonly damaged: boolean },
): Promise<Replaced> {
  const { files, paths } = context
  const aside = asidePath(context)
  const { forgotten } = await prepare(context, { staged, live: undefined, copies: damaged ? [aside, path] : [path] })
  const facts = files.facts(staged)
  files.swap(staged, paths.database, aside)
  return { kept: damaged ? aside : null, forgotten, facts }
}

async function prepare(
  { files, paths, clock, quietMs }: RestoreContext,
  { staged, ...rest }: { readonly staged: string; readonly live: Store | undefined; readonly copies: readonly string[] },
): Promise<Prepared> {
  const store = await files.open(staged)
  try {
    return await prepareStaged({ staged: store, workspace: paths.workspace, clock, quietMs, ...rest })
  } finally {
    await store.close()
    files.seal(staged)
  }
}

async function keepAside(context: RestoreContext, live: Store, options: RestoreOptions): Promise<string> {
  const aside = asidePath(context)
  const partial = `${aside}${PARTIAL}`
  await live.write((tx) => noteCopies(tx, 'backups', [aside, partial]))
  await requireFile(live, 'restore').copyTo(partial, { ...copyHooks(options), unchecked: true })
  renameDurably(partial, aside)
  return aside
}

function asidePath({ paths, clock }: RestoreContext): string {
  return `${paths.database}.before-restore-${new Date(clock()).toISOString().replaceAll(':', '-')}`
}

/** Every writing job holds one of these leases. */
async function leaseNames(live: Store): Promise<string[]> {
  const agents = await live.read.selectFrom('agent_sessions').select('agent_id').distinct().orderBy('agent_id').execute()
  const ids = new Set(['main', ...agents.map((row) => row.agent_id)])
  return ['writer', 'backup', 'embed', ...[...ids].map((id) => `memory-md:${id}`)]
}

function currentOf({ files, paths }: RestoreContext): DatabaseFacts | 'damaged' | null {
  if (!existsSync(paths.database)) return null
  try {
    return files.check(paths.database)
  } catch (error) {
    // Only the newer program could apply its tombstones.
    if (error instanceof MnemonicError && error.code === 'NOT_A_DATABASE') return 'damaged'
    throw error
  }
}

function holdings({ sessions, messages, events, lastMessageAt }: DatabaseFacts): Holdings {
  return { sessions, messages, events, last_message_at: isoOrNull(lastMessageAt) }
}

function copyHooks({ onProgress, signal }: RestoreOptions) {
  return { onBytes: (done: number, total: number) => onProgress?.({ stage: 'copy', done, total }), signal }
}

function removeLeftovers({ files, paths }: RestoreContext): void {
  const start = basename(paths.database) + STAGED
  for (const name of readdirSync(paths.home)) {
    if (!name.startsWith(start)) continue
    const pid = Number(/^\d+/.exec(name.slice(start.length))?.[0])
    if (!isRunning(pid)) files.remove(join(paths.home, `${start}${pid}`))
  }
}

function stillMoving(path: string): MnemonicError {
  return new MnemonicError('DATABASE_BUSY', 'something was forgotten again and again while the backup was being restored', {
    details: { path },
    hint: 'Nothing was changed. Try again when it is quiet.',
  })
}
