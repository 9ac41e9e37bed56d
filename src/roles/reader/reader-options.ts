import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Clock } from '../../core/clock.ts'
import type { Owner } from '../../search/person.ts'
import type { QueryEmbedder } from '../../search/query-vector.ts'
import type { Store } from '../../store/store.ts'
import type { ReadAnswer } from './reader.ts'

export interface ReaderOptions extends QueryEmbedder {
  /** Opened only if the prompt may need memory. */
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly owner: () => Owner
  readonly settings: AgentMemory['read']
  readonly prepare?: () => void
}

export const VAGUE = 'it asks for what was, and does not say about what'

export function silent(reason: string): ReadAnswer {
  return { needed: false, reason, scope: 'project', phrasings: [], known: [], pieces: [], tokens: 0, text: '', mode: 'none' }
}
