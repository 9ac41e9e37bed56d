import type { CallToolResult, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server'
import type { ZodType } from 'zod'
import { given } from '../core/given.ts'
import { escapeMarks } from '../core/marked-text.ts'
import { printable } from '../core/text.ts'
import type { Sent } from './fields.ts'
import { refusalText } from './refusal.ts'
import type { Served } from './served.ts'
import { toolInput } from './tool-input.ts'

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
  /** Default: read-only. */
  readonly annotations?: ToolAnnotations
  /** The signal fires when the client cancels. */
  readonly call: (request: Sent<T>, signal: AbortSignal) => Promise<Given>
}

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

/** Programs may pass the structure to a model or a terminal, so marks and control characters are escaped. */
function harmless(value: unknown): unknown {
  if (typeof value === 'string') return escapeMarks(printable(value))
  if (Array.isArray(value)) return value.map(harmless)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, harmless(item)]))
}
