/**
 * Starts the worker as a detached process. It ends when the queue is empty or its time is up. None starts while one holds the lease: that
 * one checks the queue again after releasing it.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WORKER_VARIABLE } from '../../core/own-process.ts'
import { isLeased } from '../../store/lease.ts'
import type { Store } from '../../store/store.ts'

export const WORKER_LEASE = 'write'

export interface WorkerOptions {
  readonly home: string
  readonly workspace: string
  readonly now: number
  readonly env?: NodeJS.ProcessEnv
  readonly program?: readonly string[]
}

/** Enqueue before calling. Returns false if a worker already runs. */
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
  // The next hook retries; `health` shows the age of the queue.
  child.on('error', () => undefined)
  child.unref()
  return true
}

const OWN = [process.execPath, join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'cli', 'bin.js')]
