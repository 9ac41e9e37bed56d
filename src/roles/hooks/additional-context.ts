/** Claude Code's answer format, which Codex and Gemini CLI share. */
import type { HookWords } from './harness.ts'
import type { HookEvent } from './hook-call.ts'

export const TAKES_CONTEXT: ReadonlySet<HookEvent> = new Set(['prompt', 'session_start', 'before_tool', 'tool_failed'])

export function additionalContext(eventName: string, { context, notice }: HookWords): string {
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: eventName, additionalContext: context } }),
    ...(notice === undefined ? {} : { systemMessage: notice }),
  })
}
