/** What the owner stated to be remembered, as a derived event: so it stands among decisions and preferences, and in MEMORY.md, like what was said in a session. Pure. */
import { given } from '../../core/given.ts'
import { REMEMBERED_RULE } from '../../core/stated-as.ts'
import type { StatementType } from '../../core/statement-type.ts'
import type { DerivedEvent } from '../../ledgers/derived-events.ts'
import { type Remembered, rememberedThread } from '../../ledgers/remembered.ts'
import { derivedEvent } from './derived-event.ts'

/** A fact is no statement of these types: it is found, and observed of its entity. */
const TYPES: Readonly<Record<Remembered['type'], StatementType | undefined>> = {
  preference: 'preference_stated',
  decision: 'decision',
  correction: 'correction',
  fact: undefined,
}

/** `corrected`: the type of the decision or preference that it puts right, which it then is too. */
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
