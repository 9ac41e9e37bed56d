/** The MCP server over stdio: serves until its client ends, and stops the background sync with it. Prints nothing but the protocol. */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Mnemonic } from '../library/index.ts'
import { backgroundSync, type StartSync } from './background-sync.ts'
import { mcpServer } from './tools.ts'
import { LARGEST_REQUEST, wholeRequests } from './whole-requests.ts'

export { syncThread } from './sync-thread.ts'

export interface ServeOptions {
  readonly mnemonic: Mnemonic
  /** Absent: no sync in the background. */
  readonly sync?: StartSync
  /** Answers as structured content, too: for programs. */
  readonly structured?: boolean
  readonly stdin: Readable
  readonly stdout: Writable
  /** Ends the server, as the end of its client does. */
  readonly signal?: AbortSignal
}

/** Resolves when the client is gone and nothing runs any more. */
export async function serveMcp({ mnemonic, sync, structured = false, stdin, stdout, signal }: ServeOptions): Promise<void> {
  const background = backgroundSync(sync)
  const gone = clientGone({ stdin, stdout, signal })
  const requests = wholeRequests(stdout)
  // Lines come whole, so its own limit is never met: it would end the server.
  const transport = new StdioServerTransport(requests, stdout, { maxBufferSize: 2 * LARGEST_REQUEST })
  const server = serveStdio(() => mcpServer({ mnemonic, sync: background, structured }), { transport })
  stdin.pipe(requests)
  background.refresh()
  await gone
  await Promise.all([server.close(), background.stop()])
  stdin.unpipe(requests)
  requests.destroy()
  stdin.pause()
}

function clientGone({
  stdin,
  stdout,
  signal,
}: Pick<ServeOptions, 'stdin' | 'stdout'> & { signal: AbortSignal | undefined }): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    if (stdin.readableEnded || stdin.destroyed || signal?.aborted) end()
    for (const event of ['end', 'close', 'error']) stdin.once(event, end)
    for (const event of ['close', 'error']) stdout.once(event, end)
    signal?.addEventListener('abort', end, { once: true })
  })
}
