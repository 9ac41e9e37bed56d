/** The client's folder: its first root if it reports roots, else the server's start folder. */
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/server'

/** A silent client must not block a search. */
const PATIENCE_MS = 500

export function clientFolder({ server }: McpServer, started = process.cwd()): () => Promise<string> {
  let asked: Promise<string> | undefined
  async function ask(): Promise<string> {
    if (server.getClientCapabilities()?.roots === undefined) return started
    try {
      const { roots } = await server.listRoots(undefined, { timeout: PATIENCE_MS })
      const uri = roots.find((root) => root.uri.startsWith('file:'))?.uri
      return uri === undefined ? started : fileURLToPath(uri)
    } catch {
      return started // roots announced but not returned: the folder is only a preference
    }
  }
  return () => {
    asked ??= ask()
    return asked
  }
}
