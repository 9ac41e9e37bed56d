/** Starts publishing processes and compares what they leave. */
import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PublishReport } from '../../src/artifacts/artifacts.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { filesIn, type SessionSeed, seedSessions } from './artifacts-home.ts'
import { type Ended, ended } from './run-binary.ts'
import { NOON } from './store.ts'

const SCRIPT = fileURLToPath(new URL('./artifacts-process.mjs', import.meta.url))

export interface PublishProcess {
  readonly clock?: number
  readonly action?: 'publish' | 'recover'
  /** Published one by one, as hooks do; default all ended sessions. */
  readonly sessions?: readonly string[]
  readonly agentId?: string
  /** Number of the point to kill it at. */
  readonly killAt?: number
  readonly refuse?: { readonly what: 'write' | 'rename'; readonly kind: string }
  /** Runs first, in the same shell. */
  readonly before?: string
}

export interface PublishRun extends Ended {
  readonly done: readonly PublishReport[]
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string }
  readonly points: readonly string[]
  readonly names: readonly string[]
  readonly opened: readonly string[]
}

export interface TestHome {
  readonly root: string
  readonly database: string
  readonly workspace: string
}

export function homeIn(root: string): TestHome {
  return { root, database: join(root, 'mnemonic.db'), workspace: join(root, 'workspace') }
}

export async function seededHome(root: string, seeds: readonly SessionSeed[]): Promise<TestHome> {
  const home = homeIn(root)
  await withStore(home, (store) => seedSessions(store, seeds))
  return home
}

export function copyHome({ root }: TestHome, to: string): TestHome {
  cpSync(root, to, { recursive: true })
  return homeIn(to)
}

export async function publishIn({ database, workspace }: TestHome, how: PublishProcess = {}): Promise<PublishRun> {
  const { before, clock = NOON, ...options } = how
  const argv = [SCRIPT, JSON.stringify({ database, workspace, clock, ...options })]
  const child =
    before === undefined ? spawn(process.execPath, argv) : spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...argv])
  const run = await ended(child)
  const said =
    run.stdout === ''
      ? { done: [], points: [], names: [], opened: [] }
      : (JSON.parse(run.stdout) as Pick<PublishRun, 'done' | 'error' | 'points' | 'names' | 'opened'>)
  return { ...run, ...said }
}

export async function withStore<T>({ database }: TestHome, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqlite({ path: database, clock: () => NOON })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** All files, and all rows of the tables that publishing writes. */
export async function leftBy(home: TestHome): Promise<Record<string, unknown>> {
  const rows = await withStore(home, async ({ read }) => ({
    artifacts: await read.selectFrom('artifacts').selectAll().orderBy('source_path').execute(),
    journal: await read.selectFrom('artifact_journal').selectAll().execute(),
    runs: await read.selectFrom('analysis_runs').selectAll().orderBy('id').execute(),
    episodes: await read.selectFrom('episodes').selectAll().orderBy('id').execute(),
    leases: await read.selectFrom('leases').selectAll().execute(),
  }))
  return { ...rows, files: filesIn(home.workspace) }
}
