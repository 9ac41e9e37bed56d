/** Whether an AI harness runs this command: harnesses say so in the environment of the commands that they run. Pure. */
import type { Io } from './io.ts'

/**
 * Set for every command of an agent, and by no terminal of a person: Claude Code, Codex, Cursor, Gemini, OpenCode, Copilot, Cline, Goose,
 * Augment, Qwen; AI_AGENT is the name that several of them share. CURSOR_TRACE_ID is not among them: each terminal of the editor has it.
 */
const VARIABLES = [
  ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CURSOR_AGENT', 'GEMINI_CLI'],
  ...['OPENCODE', 'COPILOT_CLI', 'CLINE_ACTIVE', 'GOOSE_TERMINAL', 'AUGMENT_AGENT', 'QWEN_CODE'],
] as const

export function callerIsAgent(env: Io['env']): boolean {
  return VARIABLES.some((name) => env[name] !== undefined && env[name] !== '' && env[name] !== '0' && env[name] !== 'false')
}
