/** Sync thread of the MCP server: opens the home, syncs once, reports, ends. Never prints. */
import { parentPort, workerData } from 'node:worker_threads'
import { asMnemonicError, type ErrorCode } from '../core/error.ts'
import { given } from '../core/given.ts'
import { openMnemonic } from '../library/index.ts'

export interface ThreadData {
  readonly home: string
  readonly workspace: string
  readonly agent?: string
}

export type ThreadMessage =
  | { readonly type: 'done'; readonly imported: number; readonly warnings: readonly string[] }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string; readonly hint?: string }

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

async function sync(): Promise<ThreadMessage> {
  await using mnemonic = await openMnemonic(workerData as ThreadData)
  // Do not wait: another process already syncs.
  const { totals } = await mnemonic.sync({ waitMs: 0, signal: stopping.signal })
  return { type: 'done', imported: totals.imported, warnings: totals.warnings }
}

const message = await sync().catch((thrown: unknown): ThreadMessage => {
  const { code, message: why, hint } = asMnemonicError(thrown)
  return { type: 'failed', code, message: why, ...given({ hint }) }
})
parentPort?.postMessage(message)
parentPort?.close()
