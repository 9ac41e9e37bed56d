/** An in-process client of the server behind `mnemonic mcp`, without pipes. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { backgroundSync, type StartSync } from '../../src/mcp/background-sync.ts'
import { mcpServer, type ServerOptions } from '../../src/mcp/server.ts'

export interface Called {
  readonly text: string
  readonly structured: Record<string, unknown> | undefined
  readonly isError: boolean
}

export interface McpClient {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>): Promise<Called>
  /** Or the text of its error. */
  read(uri: string): Promise<string>
  prompt(name: string, args?: Record<string, string>): Promise<string>
}

export async function mcpClient(
  mnemonic: ServerOptions['mnemonic'],
  { sync, ...options }: Omit<ServerOptions, 'mnemonic' | 'sync'> & { readonly sync?: StartSync } = {},
): Promise<McpClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await mcpServer({ mnemonic, sync: backgroundSync(sync), ...options }).connect(ours)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(theirs)
  onTestFinished(() => client.close())
  const failed = (error: unknown) => (error as Error).message
  return {
    client,
    async call(name, args = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
      const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n')
      return { text, structured: structuredContent as Called['structured'], isError: isError === true }
    },
    async read(uri) {
      try {
        const { contents } = await client.readResource({ uri })
        return contents.map((one) => ('text' in one ? one.text : '')).join('\n')
      } catch (error) {
        return failed(error)
      }
    },
    async prompt(name, args = {}) {
      try {
        const { messages } = await client.getPrompt({ name, arguments: args })
        return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n')
      } catch (error) {
        return failed(error)
      }
    },
  }
}
