/** What is kept of runs of the agent: of the one that is under way what it would leave behind, and of the last how it ended. */
import { META, readMeta, removeMeta, writeMeta } from '../../../store/meta.ts'
import type { Store } from '../../../store/store.ts'
import { endProcessesOf } from './processes-of-run.ts'
import { type RunFolder, removeRunFolder } from './run-folder.ts'

/** One run, as `write`, `status` and `health` show it. */
export interface AgentRun {
  /** `claude`, `codex`, or the name of the program. */
  readonly agent: string
  readonly status: 'done' | 'failed'
  /** ISO 8601 UTC. */
  readonly at: string
  readonly seconds: number
  readonly searches: number
  readonly writes: number
  /** Calls that were refused, and calls after the last that was allowed. */
  readonly refused: number
  readonly late: number
  readonly tokens: number
  /** Why it failed. */
  readonly reason: string | null
  /** What to do about it. */
  readonly hint: string | null
  /** What it did that it should not have: nothing of it stayed. */
  readonly noted: readonly string[]
}

type Left = Pick<RunFolder, 'folder' | 'answers'> & { readonly run: string }

export async function noteRun(store: Store, { folder, answers, run }: Left): Promise<void> {
  await store.write(({ db }) => writeMeta(db, META.agentRun, JSON.stringify({ folder, answers, run })))
}

export async function forgetRun(store: Store): Promise<void> {
  await store.write(({ db }) => removeMeta(db, META.agentRun))
}

/** A worker that was killed left a folder, and maybe a program that goes on. Call it where no other run can be under way: under the writer's lease. */
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
