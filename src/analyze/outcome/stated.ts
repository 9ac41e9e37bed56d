/** Decisions and promises of a message for summaries, by the same rules as events. Omits statements with secrets. */
import { hasMarked } from '../../core/marked-text.ts'
import { redact } from '../../core/redact.ts'
import { plainLine } from '../plain-line.ts'
import { statementsOf } from '../statements/by-rules.ts'
import { isCourtesy } from './courtesy.ts'

export interface Stated {
  readonly kind: 'decision' | 'action'
  readonly text: string
  readonly start: number
  readonly end: number
}

const LONGEST = 220

export function statedIn({
  message,
  text,
  by,
}: {
  readonly message: string
  readonly text: string
  readonly by: 'person' | 'agent'
}): Stated[] {
  const found = statementsOf({ message, text, by, to: by === 'person' ? 'agent' : 'people' }).flatMap(({ type, start, end }) => {
    const kind =
      type === 'decision' ? ('decision' as const) : type === 'action_item' || type === 'commitment' ? ('action' as const) : undefined
    return kind === undefined ? [] : [{ kind, start, end }]
  })
  if (found.length === 0 || hasMarked(text)) return []
  const { spans } = redact(text)
  return found.flatMap(({ kind, start, end }) => {
    const line = plainLine(text.slice(start, end), LONGEST)
    const isSecret = spans.some((span) => span.start < end && span.end > start)
    return isSecret || line === '' || isCourtesy(line) ? [] : [{ kind, text: line, start, end }]
  })
}
