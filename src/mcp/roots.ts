/** The folder that the client works in: its first root, where it tells its roots, else the folder in which it started the server. */
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/server'

/** A client that does not answer holds up no search. */
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
      return started // it says that it has roots, and tells none: a preference is not worth an error
    }
  }
  return () => {
    asked ??= ask()
    return asked
  }
}
