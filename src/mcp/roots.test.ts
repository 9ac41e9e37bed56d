import type { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { clientFolder } from './roots.ts'

const client = (roots: (() => Promise<{ roots: { uri: string }[] }>) | undefined) =>
  ({ server: { getClientCapabilities: () => (roots ? { roots: {} } : {}), listRoots: roots } }) as unknown as McpServer

it('is the first root that is a folder, asked for once', async () => {
  let asked = 0
  const folder = clientFolder(
    client(async () => {
      asked++
      return { roots: [{ uri: 'https://example.org' }, { uri: 'file:///home/ada/harbor' }] }
    }),
    '/started',
  )
  expect([await folder(), await folder(), asked]).toEqual(['/home/ada/harbor', '/home/ada/harbor', 1])
})

it.each([
  ['tells no roots', client(undefined)],
  ['has none', client(async () => ({ roots: [] }))],
  ['does not answer', client(() => Promise.reject(new Error('timeout')))],
])('is where the server was started, for a client that %s', async (_, server) =>
  expect(await clientFolder(server, '/started')()).toBe('/started'),
)
