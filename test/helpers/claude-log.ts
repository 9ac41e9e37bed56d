/** A Claude Code log that grows turn by turn. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface ClaudeLog {
  readonly session: string
  readonly path: string
  /** A minute after the last turn. */
  turn(prompt: string, answer: string): void
  say(text: string): void
  call(tool: string, input: Record<string, unknown>, result: string, failed?: boolean): void
  /** An unknown record type. */
  odd(type: string): void
  compact(summary: string): void
}

export function claudeLog(
  folder: string,
  session: string,
  { from = Date.parse('2026-03-01T10:00:00Z'), cwd = '/home/dev/atlas' } = {},
): ClaudeLog {
  const project = join(folder, cwd.replaceAll('/', '-'))
  mkdirSync(project, { recursive: true })
  const path = join(project, `${session}.jsonl`)
  let [count, last] = [0, null as string | null]
  const record = (fields: Record<string, unknown>) => {
    const uuid = `${session.slice(0, 8)}-0000-4000-8000-${String(++count).padStart(12, '0')}`
    const timestamp = new Date(from + count * 30_000).toISOString()
    const common = {
      parentUuid: last,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session,
      version: '2.1.0',
      gitBranch: 'main',
    }
    appendFileSync(path, `${JSON.stringify({ ...common, ...fields, uuid, timestamp })}\n`)
    last = uuid
  }
  return {
    session,
    path,
    turn(prompt, answer) {
      record({ type: 'user', message: { role: 'user', content: prompt } })
      this.say(answer)
    },
    say(text) {
      record({
        type: 'assistant',
        message: { id: `msg_${session}_${count}`, role: 'assistant', model: 'a-model', content: [{ type: 'text', text }] },
      })
    },
    call(tool, input, result, failed = false) {
      const id = `toolu_${session.slice(0, 8)}_${count}`
      const content = [{ type: 'tool_use', id, name: tool, input }]
      record({ type: 'assistant', message: { id: `msg_${session}_${count}`, role: 'assistant', model: 'a-model', content } })
      const given = [{ type: 'tool_result', tool_use_id: id, content: result, is_error: failed }]
      record({ type: 'user', message: { role: 'user', content: given } })
    },
    odd(type) {
      record({ type })
    },
    compact(summary) {
      record({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 9000 },
      })
      record({ type: 'user', isCompactSummary: true, isVisibleInTranscriptOnly: true, message: { role: 'user', content: summary } })
    },
  }
}
