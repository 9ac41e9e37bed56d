/** The form that Claude Code introduced, and Codex and Gemini CLI took over: added context under `hookSpecificOutput`, a line for the person. */
import type { HookWords } from './harness.ts'
import type { HookEvent } from './hook-call.ts'

export const TAKES_CONTEXT: ReadonlySet<HookEvent> = new Set(['prompt', 'session_start', 'before_tool', 'tool_failed'])

export function additionalContext(eventName: string, { context, notice }: HookWords): string {
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: eventName, additionalContext: context } }),
    ...(notice === undefined ? {} : { systemMessage: notice }),
  })
}
