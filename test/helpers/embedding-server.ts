/** Loopback server for embedding calls of OpenAI and Google, with failures on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { fakeVector } from './fake-embedder.ts'

export interface SeenCall {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly texts: readonly string[]
  readonly body: Record<string, unknown>
  readonly at: number
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Raw body. */
  readonly text?: string
  /** Default: one fake vector per text. */
  readonly vectors?: readonly (readonly (number | null)[])[]
  readonly shuffled?: boolean
  readonly usage?: number
  readonly delayMs?: number
  /** Closes the connection without an answer. */
  readonly hangUp?: boolean
}

export interface EmbeddingServer {
  readonly url: string
  readonly calls: SeenCall[]
  close(): Promise<void>
}

export type Behaviour = (call: SeenCall, number: number) => Reply | undefined

/** `behave` returns undefined for a normal answer. */
export async function embeddingServer(behave: Behaviour = () => undefined, dimensions = 8): Promise<EmbeddingServer> {
  const calls: SeenCall[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const body = JSON.parse(text) as Record<string, unknown>
    const call = { path: request.url ?? '', headers: request.headers, texts: textsOf(body), body, at: performance.now() }
    calls.push(call)
    const reply = behave(call, calls.length) ?? {}
    if (reply.hangUp) return void request.socket.destroy()
    if (reply.delayMs !== undefined) await new Promise((done) => setTimeout(done, reply.delayMs).unref())
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.text ?? JSON.stringify(documentFor(call, reply, dimensions)))
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, calls, close }
}

function textsOf(body: Record<string, unknown>): string[] {
  const part = (content: unknown) => (content as { parts: { text: string }[] }).parts[0]?.text ?? ''
  if (Array.isArray(body.requests)) return body.requests.map((one: { content: unknown }) => part(one.content))
  if (body.content !== undefined) return [part(body.content)]
  return (Array.isArray(body.input) ? body.input : [body.input]) as string[]
}

function documentFor(call: SeenCall, reply: Reply, dimensions: number): unknown {
  const vectors = reply.vectors ?? call.texts.map((text) => [...fakeVector(text, { dimensions })].map((value) => value * 3))
  if (call.path.endsWith(':embedContent')) return { embedding: { values: vectors[0] } }
  if (call.path.endsWith(':batchEmbedContents')) return { embeddings: vectors.map((values) => ({ values })) }
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  if (reply.shuffled) data.reverse()
  return {
    object: 'list',
    data,
    model: 'm',
    ...(reply.usage === undefined ? {} : { usage: { prompt_tokens: reply.usage, total_tokens: reply.usage } }),
  }
}
