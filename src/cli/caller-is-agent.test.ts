import { expect, it } from 'vitest'
import { callerIsAgent } from './caller-is-agent.ts'

it.each([
  [{ CLAUDECODE: '1' }, true],
  [{ CODEX_SANDBOX: 'seatbelt' }, true],
  [{ AI_AGENT: 'goose' }, true],
  [{ CLAUDECODE: '0' }, false],
  [{ GEMINI_CLI: '' }, false],
  [{ OPENCODE: 'false' }, false],
  [{ CURSOR_TRACE_ID: 'x', TERM: 'xterm' }, false],
])('%j', (env, expected) => expect(callerIsAgent(env)).toBe(expected))
