import { META, readMeta, removeMeta, writeMeta } from '../../../store/meta.ts'
import type { Store } from '../../../store/store.ts'
import { endProcessesOf } from './processes-of-run.ts'
import { type RunFolder, removeRunFolder } from './run-folder.ts'

export interface AgentRun {
  readonly agent: string
  readonly status: 'done' | 'failed'
  readonly at: string
  readonly seconds: number
  readonly searches: number
  readonly writes: number
  readonly refused: number
  readonly late: number
  readonly tokens: number
  readonly reason: string | null
  readonly hint: string | null
  /** Violations of its limits; their effects were discarded. */
  readonly noted: readonly string[]
}

type Left = Pick<RunFolder, 'folder' | 'answers'> & { readonly run: string }

export async function noteRun(store: Store, { folder, answers, run }: Left): Promise<void> {
  await store.write(({ db }) => writeMeta(db, META.agentRun, JSON.stringify({ folder, answers, run })))
}

export async function forgetRun(store: Store): Promise<void> {
  await store.write(({ db }) => removeMeta(db, META.agentRun))
}

/** Cleans up after a killed worker, which may have left a folder and processes. Call only under the writer's lease. */
export async function clearLeftRun(store: Store): Promise<void> {
  const value = await readMeta(store.read, META.agentRun)
  if (value === undefined) return
  const { run, ...folders } = JSON.parse(value) as Left
  endProcessesOf(run)
  await removeRunFolder(folders)
  await forgetRun(store)
}

export async function keepLastRun(store: Store, run: AgentRun): Promise<void> {
  await store.write(({ db }) => writeMeta(db, META.agentLast, JSON.stringify(run)))
}

export async function lastRun(db: Store['read']): Promise<AgentRun | null> {
  const value = await readMeta(db, META.agentLast)
  return value === undefined ? null : (JSON.parse(value) as AgentRun)
}
