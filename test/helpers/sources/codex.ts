import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../../../src/core/hash.ts'
import { toIso } from '../../../src/core/time.ts'
import { codex } from '../../../src/ingest/capture/codex.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

export const codexSource: SampleSource = {
  name: 'codex',
  kind: 'lines',
  adapter: (root) => codex({ paths: [root] }),
  write(root, session, exchanges) {
    const thread = uuidOf(session)
    const folder = join(root, '2026', '03', '01')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `rollout-2026-03-01T09-00-00-${thread}.jsonl`)
    const lines = [header(thread), ...exchanges.flatMap((exchange, n) => turn(exchange, `${thread}-${n}`))]
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  },
}

/** Deterministic. */
function uuidOf(session: string): string {
  const hex = shortHash(32, session)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function header(id: string) {
  const timestamp = '2026-01-01T09:00:00.000Z'
  const payload = { id, timestamp, cwd: '/home/ada/atlas', originator: 'codex_cli_rs', cli_version: '0.144.0', source: 'cli' }
  return { timestamp, type: 'session_meta', payload }
}

/** In Codex's order, which writes prompt and answer twice. */
function turn({ prompt, answer, at, tool }: Exchange, turn_id: string) {
  let step = 0
  const line = (type: string, payload: Record<string, unknown>) => ({ timestamp: toIso(at + 100 * step++), type, payload })
  const item = (payload: Record<string, unknown>) => line('response_item', payload)
  const call_id = `call_${shortHash(24, turn_id)}`
  const text = (type: string, said: string) => [{ type, text: said }]
  return [
    line('event_msg', { type: 'task_started', turn_id, model_context_window: 258_400 }),
    line('turn_context', { turn_id, cwd: '/home/ada/atlas', model: 'gpt-5.5-codex', effort: 'medium' }),
    item({ type: 'message', role: 'user', content: text('input_text', prompt) }),
    line('event_msg', { type: 'user_message', message: prompt, images: [] }),
    item({ type: 'reasoning', summary: text('summary_text', `Thinking about ${turn_id}`), content: null, encrypted_content: turn_id }),
    ...(tool === undefined
      ? []
      : [
          item({ type: 'function_call', name: tool.name, arguments: JSON.stringify(tool.params), call_id }),
          item({ type: 'function_call_output', call_id, output: tool.result }),
        ]),
    line('event_msg', { type: 'agent_message', message: answer, phase: 'final_answer' }),
    item({ type: 'message', role: 'assistant', content: text('output_text', answer), phase: 'final_answer' }),
    line('event_msg', tokens(prompt.length + answer.length)),
    line('event_msg', { type: 'task_complete', turn_id, last_agent_message: answer }),
  ]
}

function tokens(total: number) {
  const usage = { input_tokens: total, cached_input_tokens: 0, output_tokens: 10, reasoning_output_tokens: 0, total_tokens: total + 10 }
  return { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 } }
}

export type RolloutLine = Record<string, unknown>

/** Single lines, 1.5 seconds apart. */
export function rolloutLines(thread: string) {
  let count = 0
  const line = (type: string, payload: RolloutLine): RolloutLine => ({ timestamp: toIso(BEGIN + 1500 * count++), type, payload })
  const item = (type: string, payload: RolloutLine) => line('response_item', { type, ...payload })
  const event = (type: string, payload: RolloutLine = {}) => line('event_msg', { type, ...payload })
  const message =
    (role: string, type: string) =>
    (said: string, more: RolloutLine = {}) =>
      item('message', { role, content: [{ type, text: said }], ...more })
  return {
    line,
    item,
    event,
    asked: message('user', 'input_text'),
    answered: message('assistant', 'output_text'),
    started: (turn_id: string) => event('task_started', { turn_id }),
    meta: (more: RolloutLine = {}) =>
      line('session_meta', { id: thread, timestamp: toIso(BEGIN), cwd: '/home/ada/atlas', originator: 'codex_cli_rs', ...more }),
  }
}

const BEGIN = Date.UTC(2026, 4, 1, 9)
