/** Starts a worker early and buffers its messages until someone listens. The process loads everything else meanwhile. */
import { Worker } from 'node:worker_threads'
import { createGate, type Gate } from './native-gate.ts'
import { silenceTelemetry } from './silence-telemetry.ts'
import type { Start } from './worker-message.ts'

/** Node 20 runs no TypeScript in workers, so tests use the built file. */
export const ENTRY = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/embed/minilm/worker.js' : './worker.js', import.meta.url)

type Said = 'message' | 'error' | 'exit'

export interface StartedWorker {
  readonly worker: Worker
  readonly gate: Gate
  /** Replays buffered messages first. Call once. */
  listen(to: (what: Said, value: unknown) => void): void
}

export function startWorker(options: Start['options']): StartedWorker {
  silenceTelemetry()
  const gate = createGate()
  // Drops process flags: --input-type, for example, breaks a worker.
  const worker = new Worker(ENTRY, { workerData: { options, gate } satisfies Start, name: 'embed', execArgv: [] })
  const before: [Said, unknown][] = []
  let say = (what: Said, value: unknown): void => void before.push([what, value])
  for (const what of ['message', 'error', 'exit'] as const) worker.on(what, (value: unknown) => say(what, value))
  return {
    worker,
    gate,
    listen(to) {
      say = to
      for (const [what, value] of before.splice(0)) to(what, value)
    },
  }
}
