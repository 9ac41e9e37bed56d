/**
 * A worker that loads the model, before anybody asks it for a vector. A process that has little time starts it first, and loads everything
 * else meanwhile: so what it says is kept until somebody listens.
 */
import { Worker } from 'node:worker_threads'
import { createGate, type Gate } from './native-gate.ts'
import { silenceTelemetry } from './silence-telemetry.ts'
import type { Start } from './worker-message.ts'

/** Node 20 starts no TypeScript: from the sources, as tests run, the built worker is started. */
export const ENTRY = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/embed/minilm/worker.js' : './worker.js', import.meta.url)

type Said = 'message' | 'error' | 'exit'

export interface StartedWorker {
  readonly worker: Worker
  readonly gate: Gate
  /** Takes what it says from then on, and first what it said before. Once. */
  listen(to: (what: Said, value: unknown) => void): void
}

export function startWorker(options: Start['options']): StartedWorker {
  silenceTelemetry()
  const gate = createGate()
  // The flags of the process are not for the worker: --input-type, for one, would keep it from starting.
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
