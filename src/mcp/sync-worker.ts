/** The thread that syncs for the MCP server: opens the home, syncs once, says how it went, ends. Never prints. */
import { parentPort, workerData } from 'node:worker_threads'
import { asMnemonicError } from '../core/error.ts'
import { openMnemonic } from '../library/index.ts'
import type { ThreadData, ThreadMessage } from './sync-thread.ts'

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

async function sync(): Promise<ThreadMessage> {
  const mnemonic = await openMnemonic(workerData as ThreadData)
  try {
    // Another process that syncs does our work.
    const { totals } = await mnemonic.sync({ waitMs: 0, signal: stopping.signal })
    return { type: 'done', imported: totals.imported, warnings: totals.warnings }
  } finally {
    await mnemonic.close()
  }
}

const message = await sync().catch((thrown: unknown): ThreadMessage => {
  const { code, message: why, hint } = asMnemonicError(thrown)
  return { type: 'failed', code, message: why, ...(hint === undefined ? {} : { hint }) }
})
parentPort?.postMessage(message)
parentPort?.close()
