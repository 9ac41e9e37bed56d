/** The MCP server over stdio: serves until its client ends, and stops the background sync with it. Prints nothing but the protocol. */
import type { Readable, Transform, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { given } from '../core/given.ts'
import { backgroundSync, type StartSync } from './background-sync.ts'
import { openRequests } from './open-requests.ts'
import type { Served } from './served.ts'
import { mcpServer } from './server.ts'
import { LARGEST_REQUEST, wholeRequests } from './whole-requests.ts'

export { syncThread } from './sync-thread.ts'
export { checkedTools } from './tools.ts'

export interface ServeOptions {
  readonly mnemonic: Served['mnemonic']
  /** Absent: no sync in the background. */
  readonly sync?: StartSync
  /** Answers as structured content, too: for programs. */
  readonly structured?: boolean
  /** Only these tools; all when absent. */
  readonly tools?: readonly string[]
  readonly stdin: Readable
  readonly stdout: Writable
  /** Ends the server, as the end of its client does. */
  readonly signal?: AbortSignal
}

/** What was asked before stdin ended is answered within this time. */
const PATIENCE_MS = 5000

/** Resolves when the client is gone and nothing runs any more. */
export async function serveMcp({ mnemonic, sync, structured = false, tools, stdin, stdout, signal }: ServeOptions): Promise<void> {
  const background = backgroundSync(sync)
  const gone = clientGone({ stdin, stdout, signal })
  const requests = wholeRequests(stdout)
  // Lines come whole, so its own limit is never met: it would end the server.
  const open = openRequests(new StdioServerTransport(requests, stdout, { maxBufferSize: 2 * LARGEST_REQUEST }))
  const connection = () => mcpServer({ mnemonic, sync: background, structured, ...given({ tools }) })
  const server = serveStdio(connection, { transport: open.transport })
  // The end of stdin is not that of the requests: a client that has said all it wants may still read.
  stdin.pipe(requests, { end: false })
  background.refresh()
  await gone.asked
  const stopped = background.stop()
  await Promise.race([gone.deaf, allRead(requests).then(() => open.settled(PATIENCE_MS))])
  await Promise.all([server.close(), stopped])
  stdin.unpipe(requests)
  requests.destroy()
  stdin.pause()
}

/** What came before the end has reached the server. */
async function allRead(requests: Transform): Promise<void> {
  await new Promise<void>((resolve) => requests.write(Buffer.alloc(0), () => resolve()))
  await setImmediate()
}

interface Gone {
  /** The client asks nothing more. */
  readonly asked: Promise<void>
  /** Nobody reads an answer any more, or this process is told to end. */
  readonly deaf: Promise<void>
}

function clientGone({ stdin, stdout, signal }: Pick<ServeOptions, 'stdin' | 'stdout'> & { signal: AbortSignal | undefined }): Gone {
  const deaf = new Promise<void>((resolve) => {
    const end = () => resolve()
    if (signal?.aborted) end()
    for (const event of ['close', 'error']) stdout.once(event, end)
    stdin.once('error', end)
    signal?.addEventListener('abort', end, { once: true })
  })
  const asked = new Promise<void>((resolve) => {
    const end = () => resolve()
    if (stdin.readableEnded || stdin.destroyed) end()
    for (const event of ['end', 'close']) stdin.once(event, end)
    void deaf.then(end)
  })
  return { asked, deaf }
}
