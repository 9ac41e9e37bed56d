/** Loopback server for chat calls of OpenAI, Anthropic and Google, with failures on request. Counts calls: each would cost money. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SeenAsk {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
  readonly system: string
  readonly prompt: string
  readonly model: string
}

export interface LlmReply {
  /** Sent as JSON. */
  readonly value?: unknown
  /** Sent as it is. */
  readonly says?: string
  /** Default 100 and 20 tokens; `null` reports none. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The raw body. */
  readonly body?: string
  readonly delayMs?: number
  readonly hangs?: boolean
  readonly hangUp?: boolean
}

export interface LlmServer {
  /** Ends with `/v1`, as `analyze.base_url` requires. */
  readonly url: string
  readonly asked: SeenAsk[]
  close(): Promise<void>
}

/** Calls count from 1. */
export type Answering = (ask: SeenAsk, number: number) => LlmReply | Promise<LlmReply>

export async function llmServer(answering: Answering): Promise<LlmServer> {
  const server = await startLlmServer(answering)
  onTestFinished(() => server.close())
  return server
}

/** The caller closes it. */
export async function startLlmServer(answering: Answering): Promise<LlmServer> {
  const asked: SeenAsk[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const ask = readAsk(request, JSON.parse(text) as Record<string, unknown>)
    asked.push(ask)
    const reply = await answering(ask, asked.length)
    if (reply.hangUp) return void request.socket.destroy()
    if (reply.hangs) return
    if (reply.delayMs !== undefined) await new Promise((done) => setTimeout(done, reply.delayMs).unref())
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body ?? JSON.stringify(reply.status === undefined ? answered(ask, reply) : refused(reply.status)))
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close }
}

type Wire = 'openai' | 'anthropic' | 'google'

function wireOf(path: string): Wire {
  if (path.endsWith('/messages')) return 'anthropic'
  return path.includes(':generateContent') ? 'google' : 'openai'
}

function readAsk(request: IncomingMessage, body: Record<string, unknown>): SeenAsk {
  const path = request.url ?? ''
  const messages = (body.messages ?? body.contents ?? []) as { role: string; content?: unknown; parts?: unknown }[]
  const said = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .map((message) => textOf(message.content ?? message.parts))
      .join('\n')
  const beside = body.system ?? (body.systemInstruction as { parts?: unknown } | undefined)?.parts
  const model = typeof body.model === 'string' ? body.model : (/models\/([^:]+):/.exec(path)?.[1] ?? '')
  return { path, headers: request.headers, body, model, prompt: said('user'), system: textOf(beside) || said('system') }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : ''
}

function answered(ask: SeenAsk, { value, says, usage = { input: 100, output: 20 } }: LlmReply): unknown {
  const text = says ?? JSON.stringify(value ?? {})
  switch (wireOf(ask.path)) {
    case 'anthropic':
      return {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: ask.model, stop_reason: 'end_turn', stop_sequence: null },
        content: contentOf(ask, text),
        usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
      }
    case 'google':
      return {
        candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
        ...(usage && { usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output } }),
      }
    default:
      return {
        ...{ id: 'c1', object: 'chat.completion', created: 1, model: ask.model },
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
        ...(usage && {
          usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
        }),
      }
  }
}

/** Anthropic models answer a schema by calling the offered tool. */
function contentOf({ body }: SeenAsk, text: string): unknown[] {
  const tool = (body.tools as { name: string }[] | undefined)?.[0]
  return tool === undefined ? [{ type: 'text', text }] : [{ type: 'tool_use', id: 't1', name: tool.name, input: JSON.parse(text) }]
}

function refused(status: number): unknown {
  return { error: { message: `the server answers ${status}`, type: 'test_error', code: 'test_error' } }
}
