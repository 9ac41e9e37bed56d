import type { Io } from './io.ts'

/**
 * Harnesses set these for every command they run, never in a person's terminal. Several share AI_AGENT. CURSOR_TRACE_ID is no sign: every
 * terminal of the editor has it.
 */
const VARIABLES = [
  ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CURSOR_AGENT', 'GEMINI_CLI'],
  ...['OPENCODE', 'COPILOT_CLI', 'CLINE_ACTIVE', 'GOOSE_TERMINAL', 'AUGMENT_AGENT', 'QWEN_CODE'],
] as const

export function callerIsAgent(env: Io['env']): boolean {
  return VARIABLES.some((name) => env[name] !== undefined && env[name] !== '' && env[name] !== '0' && env[name] !== 'false')
}
