/** Removes times before hashing, so that records stored without times still match and gain them. */
import type { ToolCallPart, ToolResultPart } from '../../ledgers/agent-record.ts'

export function withoutTimes<Part extends ToolCallPart | ToolResultPart>(
  parts: readonly Part[],
): Omit<Part, 'startedAt' | 'completedAt'>[] {
  return parts.map((part) => {
    const { startedAt: _, completedAt: __, ...rest } = part as Part & { startedAt?: unknown; completedAt?: unknown }
    return rest
  })
}
