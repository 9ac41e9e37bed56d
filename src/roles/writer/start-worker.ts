/**
 * Starts the writer's worker as a process of its own, which nothing waits for. It ends by itself: when the queue is empty, after its time, or
 * at once where another one works. Nothing is started where one is known to work: it looks at the queue again after giving back its lease.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WORKER_VARIABLE } from '../../core/own-process.ts'
import { isLeased } from '../../store/lease.ts'
import type { Store } from '../../store/store.ts'

/** The lease of the one worker. */
export const WORKER_LEASE = 'write'

export interface WorkerOptions {
  readonly home: string
  readonly workspace: string
  readonly now: number
  /** The environment of the worker: that of this process when absent. */
  readonly env?: NodeJS.ProcessEnv
  /** The program with its first arguments: this one when absent. */
  readonly program?: readonly string[]
}

/** True where one was started, false where one works already. Leave the task first. */
export async function startWorker(
  store: Store,
  { home, workspace, now, env = process.env, program = OWN }: WorkerOptions,
): Promise<boolean> {
  if (await isLeased(store, WORKER_LEASE, now)) return false
  const [file = '', ...first] = program
  const child = spawn(file, [...first, '--home', home, '--workspace', workspace, 'write'], {
    ...{ cwd: home, detached: true, stdio: 'ignore', windowsHide: true },
    env: { ...env, [WORKER_VARIABLE]: '1' },
  })
  // What cannot be started is started by the next hook, or its work done by the next `mnemonic write`; `health` shows how old the queue is.
  child.on('error', () => undefined)
  child.unref()
  return true
}

const OWN = [process.execPath, join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'cli', 'bin.js')]
