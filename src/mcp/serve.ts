/** Serves MCP over stdio until the client ends, then stops the background sync. Prints only the protocol. */
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
  readonly sync?: StartSync
  readonly structured?: boolean
  readonly tools?: readonly string[]
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal?: AbortSignal
}

/** Time to answer open requests after stdin ends. */
const PATIENCE_MS = 5000

export async function serveMcp({ mnemonic, sync, structured = false, tools, stdin, stdout, signal }: ServeOptions): Promise<void> {
  const background = backgroundSync(sync)
  const gone = clientGone({ stdin, stdout, signal })
  const requests = wholeRequests(stdout)
  // Lines arrive whole, so the transport's limit, which would end the server, is never reached.
  const open = openRequests(new StdioServerTransport(requests, stdout, { maxBufferSize: 2 * LARGEST_REQUEST }))
  const connection = () => mcpServer({ mnemonic, sync: background, structured, ...given({ tools }) })
  const server = serveStdio(connection, { transport: open.transport })
  // `end: false`: a client may close stdin and still read answers.
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

async function allRead(requests: Transform): Promise<void> {
  await new Promise<void>((resolve) => requests.write(Buffer.alloc(0), () => resolve()))
  await setImmediate()
}

interface Gone {
  /** The client sends no more requests. */
  readonly asked: Promise<void>
  /** Nobody reads answers, or the process must end. */
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
