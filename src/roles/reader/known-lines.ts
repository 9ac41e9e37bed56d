/** What is known of whom a prompt names, before any piece: the lines that the session was not given yet. Reads only. */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { KnownFact } from '../../search/known/known-facts.ts'
import { mayNameSomebody } from '../../search/known/may-name.ts'
import type { GivenPiece } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import type { FirstLook } from './first-look.ts'

interface Asking {
  readonly agentId: string
  readonly now: number
  readonly folder: string | undefined
  readonly settings: AgentMemory['read']
  /** The project of the folder. */
  readonly here: string | null
}

export async function knownLines(store: Store, look: FirstLook, { agentId, now, folder, settings, here }: Asking): Promise<KnownFact[]> {
  if (!mayNameSomebody(look.text)) return []
  const { knownFacts } = await import('../../search/known/known-facts.ts')
  return knownFacts(store, {
    ...{ agentId, now, text: look.text, here, asked: false },
    isQuestion: look.says === 'recall' || look.questions.length > 0,
    personal: folder === undefined ? 'always' : settings.personal,
  })
}

/** By what a line is known not to be given twice: each observation goes with the record that says it. */
export function keysOf({ observations }: KnownFact): GivenPiece[] {
  return observations.flatMap(({ relationship_id, turn_id, episode_id }): GivenPiece[] => {
    const part = `fact ${relationship_id}`
    if (turn_id !== null) return [{ kind: 'turn', id: turn_id, part }]
    return episode_id === null ? [] : [{ kind: 'episode', id: episode_id, part }]
  })
}
