/** Claude Code's transcript, as its sessions write it: one file a session, a record a line. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCode } from '../../../src/ingest/capture/claude-code.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

export const claudeCodeSource: SampleSource = {
  name: 'claude-code',
  kind: 'lines',
  adapter: (root) => claudeCode({ paths: [root] }),
  write(root, session, exchanges) {
    const folder = join(root, '-home-dev-atlas')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${uuid(session)}.jsonl`)
    writeFileSync(path, transcript(uuid(session), exchanges))
    return path
  },
}

function transcript(sessionId: string, exchanges: readonly Exchange[]): string {
  const lines: string[] = []
  let parent: string | null = null
  const line = (type: string, at: number, message: object) => {
    const own = uuid(`${sessionId} ${lines.length}`)
    const envelope = { parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/home/dev/atlas', sessionId, version: '2.1.7' }
    lines.push(JSON.stringify({ ...envelope, gitBranch: 'main', type, message, uuid: own, timestamp: new Date(at).toISOString() }))
    parent = own
  }
  exchanges.forEach(({ prompt, answer, at, tool }, n) => {
    const assistant = (id: string, content: object) => ({
      id,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      type: 'message',
      content: [content],
    })
    line('user', at, { role: 'user', content: prompt })
    if (tool) {
      const id = `toolu_${uuid(`${sessionId} tool ${n}`).slice(0, 8)}`
      line('assistant', at + 1000, assistant(`msg_${n}_call_${sessionId}`, { type: 'tool_use', id, name: tool.name, input: tool.params }))
      line('user', at + 2000, { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: tool.result }] })
    }
    line('assistant', at + 3000, assistant(`msg_${n}_${sessionId}`, { type: 'text', text: answer }))
  })
  return lines.map((text) => `${text}\n`).join('')
}

function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
