/**
 * When tools ran, beside what they did. The hash of a message covers the latter alone: what was stored before these times were is known
 * again, and takes them over.
 */
import type { ToolCallPart, ToolResultPart } from '../../ledgers/agent-record.ts'

export function withoutTimes<Part extends ToolCallPart | ToolResultPart>(
  parts: readonly Part[],
): Omit<Part, 'startedAt' | 'completedAt'>[] {
  return parts.map((part) => {
    const { startedAt: _, completedAt: __, ...rest } = part as Part & { startedAt?: unknown; completedAt?: unknown }
    return rest
  })
}
