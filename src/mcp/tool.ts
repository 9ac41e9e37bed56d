/** Offers a tool: checks what it is given, calls it, and gives its answer as text, for programs as structured content too. */
import type { CallToolResult, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server'
import type { ZodType } from 'zod'
import { given } from '../core/given.ts'
import { escapeMarks } from '../core/marked-text.ts'
import { printable } from '../core/text.ts'
import type { Sent } from './fields.ts'
import { refusalText } from './refusal.ts'
import type { Served } from './served.ts'
import { toolInput } from './tool-input.ts'

/** What a tool gives: the text, and the document that it was made of. */
export interface Given {
  readonly text: string
  readonly document: object
}

export interface Tool<T> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: ZodType<T>
  readonly output: ZodType
  /** Reads only when absent. */
  readonly annotations?: ToolAnnotations
  /** The signal fires when the client takes its question back: what is not yet done is left. */
  readonly call: (request: Sent<T>, signal: AbortSignal) => Promise<Given>
}

/** For what tools have in common: their inputs differ. */
export interface AnyTool extends Omit<Tool<unknown>, 'input' | 'call'> {
  readonly input: ZodType
  readonly call: (request: never, signal: AbortSignal) => Promise<Given>
}

const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

export function addTool({ server, sync, structured }: Served, tool: AnyTool): void {
  const { name, title, description, input, output, annotations = READ_ONLY } = tool
  const call = tool.call as Tool<unknown>['call']
  const told = {
    title,
    description,
    inputSchema: toolInput(input),
    annotations,
    ...given({ outputSchema: structured ? output : undefined }),
  }
  server.registerTool(name, told, async (request: unknown, { mcpReq: { signal } }: ServerContext) => {
    sync.refresh()
    try {
      signal.throwIfAborted()
      const { text, document } = await call(request as Sent<unknown>, signal)
      const content: CallToolResult['content'] = [{ type: 'text', text }]
      return structured ? { content, structuredContent: harmless(document) as Record<string, unknown> } : { content }
    } catch (thrown) {
      return { content: [{ type: 'text', text: refusalText(thrown) }], isError: true }
    }
  })
}

/** A program may hand the structure to a model, or print it: it holds neither what could pass for the end of marked text nor what commands a terminal. */
function harmless(value: unknown): unknown {
  if (typeof value === 'string') return escapeMarks(printable(value))
  if (Array.isArray(value)) return value.map(harmless)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, harmless(item)]))
}
