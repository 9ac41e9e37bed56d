/** A header, then a chain of entries. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../../../src/core/hash.ts'
import { toIso } from '../../../src/core/time.ts'
import { pi } from '../../../src/ingest/capture/pi.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

export const piSource: SampleSource = {
  name: 'pi',
  kind: 'lines',
  adapter: (root) => pi({ paths: [root] }),
  write(root, session, exchanges) {
    const id = uuidOf(session)
    const folder = join(root, '--home-ada-atlas--')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `2026-01-01T09-00-00-000Z_${id}.jsonl`)
    writeFileSync(path, piLines(id, exchanges, '/home/ada/atlas'))
    return path
  },
}

export function piLines(id: string, exchanges: readonly Exchange[], cwd: string): string {
  const header = { type: 'session', version: 3, id, timestamp: toIso((exchanges[0]?.at ?? 0) - 1000), cwd }
  const lines: object[] = [header]
  let parentId: string | null = null
  const add = (type: string, at: number, fields: object) => {
    const own = shortHash(8, id, ' ', String(lines.length))
    lines.push({ type, id: own, parentId, timestamp: toIso(at), ...fields })
    parentId = own
  }
  const answer = (at: number, content: readonly object[], stopReason: string) =>
    add('message', at, {
      message: {
        role: 'assistant',
        content,
        api: 'acme-chat',
        provider: 'acme',
        model: 'acme-1',
        usage: { input: 9 },
        stopReason,
        timestamp: at,
      },
    })
  if (exchanges.length > 0) add('model_change', (exchanges[0]?.at ?? 0) - 500, { provider: 'acme', modelId: 'acme-1' })
  exchanges.forEach(({ prompt, answer: said, at, tool }, n) => {
    add('message', at, { message: { role: 'user', content: [{ type: 'text', text: prompt }], timestamp: at } })
    if (tool) {
      const call = `call_${shortHash(12, id, ' call ', String(n))}`
      answer(at + 1000, [{ type: 'toolCall', id: call, name: tool.name, arguments: tool.params }], 'toolUse')
      const content = [{ type: 'text', text: tool.result }]
      add('message', at + 2000, { message: { role: 'toolResult', toolCallId: call, toolName: tool.name, content, isError: false } })
    }
    answer(at + 3000, [{ type: 'text', text: said }], 'stop')
  })
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Deterministic. */
export function uuidOf(session: string): string {
  const hex = shortHash(32, session)
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
