/** Starts a sync in a thread of its own: reading and indexing never hold up a tool call. Asked to stop, it stops within half a second. */
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { StartSync } from './background-sync.ts'
import type { ThreadData, ThreadMessage } from './sync-worker.ts'

/** Long enough for a sync to end its transaction; one that does not is cut off, which loses no more than a kill would. */
const PATIENCE_MS = 500

export function syncThread(data: ThreadData): StartSync {
  return (signal) =>
    new Promise((resolve, reject) => {
      // Its stdout is not ours: that carries the protocol. The environment is: what keeps the embedding engine from reporting to its maker is
      // set there, and a copy would not reach it.
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
