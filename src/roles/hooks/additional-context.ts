/** The form that Claude Code introduced, and Codex and Gemini CLI took over: added context under `hookSpecificOutput`, a line for the person. */
import type { HookWords } from './harness.ts'

export function additionalContext(eventName: string, { context, notice }: HookWords): string {
  return JSON.stringify({
    ...(context === '' ? {} : { hookSpecificOutput: { hookEventName: eventName, additionalContext: context } }),
    ...(notice === undefined ? {} : { systemMessage: notice }),
  })
}
