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

export function keysOf({ observations }: KnownFact): GivenPiece[] {
  return observations.flatMap(({ relationship_id, turn_id, episode_id }): GivenPiece[] => {
    const part = `fact ${relationship_id}`
    if (turn_id !== null) return [{ kind: 'turn', id: turn_id, part }]
    return episode_id === null ? [] : [{ kind: 'episode', id: episode_id, part }]
  })
}
