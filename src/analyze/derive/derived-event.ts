/** A statement as an event: known by its message, its span and its type, and otherwise what its message is. Pure. */
import type { Trust } from '../../core/trust.ts'
import { DERIVED, type DerivedEvent } from '../../ledgers/derived-events.ts'
import type { Statement } from '../statements/extractor.ts'
import type { Said } from './said.ts'

export function derivedEvent(said: Said, { type, start, end, rule, confidence }: Statement): DerivedEvent {
  const { message, timestamp, channel, thread, speaker, trust, agentId, people, where } = said
  const sourceId = `${message}:${start}-${end}:${type}`
  return {
    message,
    record: {
      ...{ type: 'event', id: `${DERIVED}:${sourceId}`, sourceId, timestamp, channel, contentTypes: ['text'] },
      ...{ content: said.text.slice(start, end), direction: 'observed', thread, speaker, trust: trust as Trust, agentId, people },
      metadata: { type, ...where, message, span: [start, end], rule, confidence },
    },
  }
}
