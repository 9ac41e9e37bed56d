// Starts the server as harnesses do, prints its process id and waits to be killed.
import { spawn } from 'node:child_process'

const [binary, home] = process.argv.slice(2)
const server = spawn(process.execPath, [binary, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, MNEMONIC_HOME: home } })
const ask = (id, method, params) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'parent', version: '1' } })
server.stdout.once('data', () => {
  ask(2, 'tools/call', { name: 'memory_search', arguments: { query: 'anything at all' } })
  process.stdout.write(`${server.pid}\n`)
})
setInterval(() => undefined, 1000)
