/** Turns a statement to be remembered into a derived event, so that it is listed with decisions and preferences. */
import { given } from '../../core/given.ts'
import { REMEMBERED_RULE } from '../../core/stated-as.ts'
import type { StatementType } from '../../core/statement-type.ts'
import type { DerivedEvent } from '../../ledgers/derived-events.ts'
import { type Remembered, rememberedThread } from '../../ledgers/remembered.ts'
import { derivedEvent } from './derived-event.ts'

/** A fact makes no event: it is searchable and observed of its entity. */
const TYPES: Readonly<Record<Remembered['type'], StatementType | undefined>> = {
  preference: 'preference_stated',
  decision: 'decision',
  correction: 'correction',
  fact: undefined,
}

/** `corrected`: type of the corrected decision or preference, which the new statement takes. */
export function rememberedStatement(
  { id, text, type, at, agentId, project, alias }: Remembered,
  {
    episode,
    speaker,
    corrected,
  }: { readonly episode: string; readonly speaker: string | null; readonly corrected?: StatementType | undefined },
): DerivedEvent | undefined {
  const stated = type === 'correction' ? (corrected ?? TYPES.correction) : TYPES[type]
  if (stated === undefined || alias !== null) return undefined
  return derivedEvent(
    {
      ...{ message: id, text, timestamp: at, channel: 'owner', thread: rememberedThread(agentId), speaker, trust: 'owner', agentId },
      ...{
        by: 'person',
        to: 'agent',
        people: [],
        where: { episode, native_message: null, ...given({ project: project?.key, project_name: project?.name }) },
      },
    },
    { type: stated, message: id, start: 0, end: text.length, rule: REMEMBERED_RULE, confidence: 1 },
  )
}
