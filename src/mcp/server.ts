/** MCP server of one connection: tools, resources and prompts. None waits for the sync; only `remember` writes. */
import { McpServer } from '@modelcontextprotocol/server'
import { packageVersion } from '../core/version.ts'
import { lastAnswered } from './answered.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import { clientFolder } from './roots.ts'
import type { Served } from './served.ts'
import { addTool } from './tool.ts'
import { chosenTools } from './tools.ts'

const INSTRUCTIONS = `Recall what was said, done and decided before: session history (agents ledger) of this machine’s AI agents, messages, mail and meetings (events ledger), and documents of people.
Ask memory_search before you say that you do not know: all questions in one call, each with 3 other phrasings. Answer from its hits; memory_get reads more of one.`

export interface ServerOptions extends Pick<Served, 'mnemonic' | 'sync'>, Partial<Pick<Served, 'structured' | 'now'>> {
  readonly tools?: readonly string[]
}

export function mcpServer({ mnemonic, sync, tools, structured = false, now = Date.now }: ServerOptions): McpServer {
  const server = new McpServer({ name: 'mnemonic', title: 'Mnemonic', version: packageVersion() }, { instructions: INSTRUCTIONS })
  const folder = clientFolder(server)
  const personal = async () => mnemonic.personalIn(await folder())
  const served: Served = { server, mnemonic, sync, now, structured, answered: lastAnswered(), folder, personal }
  for (const tool of chosenTools(served, tools)) addTool(served, tool)
  addResources(served)
  addPrompts(served)
  return server
}
