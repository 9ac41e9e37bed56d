import { given } from '../../core/given.ts'
import { redactedPart } from '../../core/mask-secrets.ts'
import type { StatementType } from '../../core/statement-type.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import { DERIVED, type DerivedEvent } from '../../ledgers/derived-events.ts'
import { subjectOf } from '../history/terms.ts'
import type { Statement } from '../statements/extractor.ts'
import type { Said } from './said.ts'

const HAS_SUBJECT: ReadonlySet<string> = new Set(['decision', 'preference_stated'])

/** Least trust of doubtful statements; default `agent`. An agent's decision holds, its rules do not, so a doubtful decision needs less. */
const PROPOSED: Readonly<Partial<Record<StatementType, Trust>>> = { decision: 'untrusted' }

export function derivedEvent(said: Said, { type, start, end, rule, confidence, about, answered, isDoubtful }: Statement): DerivedEvent {
  const { message, timestamp, channel, thread, speaker, trust, agentId, people, where } = said
  const sourceId = `${message}:${start}-${end}:${type}`
  const content = redactedPart(said.text, start, end)
  const subject = HAS_SUBJECT.has(type) ? subjectOf(content, about) : undefined
  return {
    message,
    ...given({ answered }),
    record: {
      ...{ type: 'event', id: `${DERIVED}:${sourceId}`, sourceId, timestamp, channel, contentTypes: ['text'] },
      ...{
        content,
        direction: 'observed',
        thread,
        speaker,
        trust: isDoubtful ? leastTrusted([trust as Trust, PROPOSED[type] ?? 'agent']) : (trust as Trust),
        agentId,
        people,
      },
      metadata: { type, ...where, message, span: [start, end], rule, confidence, ...given({ about, subject }) },
    },
  }
}
