/** Runs a sync in its own thread, so that it never delays a tool. Stops within half a second. */
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { StartSync } from './background-sync.ts'
import type { ThreadData, ThreadMessage } from './sync-worker.ts'

/** Enough to end a transaction; afterwards the thread is terminated, which is as safe as a kill. */
const PATIENCE_MS = 500

export function syncThread(data: ThreadData): StartSync {
  return (signal) =>
    new Promise((resolve, reject) => {
      // stdout carries the protocol, so the worker's is redirected. SHARE_ENV: the embedding engine does not see a telemetry opt-out in a
      // copied environment.
      const worker = new Worker(new URL('./sync-worker.js', import.meta.url), { workerData: data, stdout: true, env: SHARE_ENV })
      let patience: NodeJS.Timeout | undefined
      const stop = () => {
        worker.postMessage('stop')
        patience = setTimeout(() => void worker.terminate(), PATIENCE_MS)
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      let answer: ThreadMessage | undefined
      worker.on('message', (message: ThreadMessage) => {
        answer = message
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        clearTimeout(patience)
        signal.removeEventListener('abort', stop)
        if (answer?.type === 'done') resolve(answer)
        else if (answer?.type === 'failed') reject(new MnemonicError(answer.code, answer.message, given({ hint: answer.hint })))
        else
          reject(
            new MnemonicError('INTERRUPTED', 'the sync was cut off', {
              hint: 'What was committed stays; the next one goes on from there.',
            }),
          )
      })
    })
}
