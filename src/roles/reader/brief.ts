/** placeholder */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Clock } from '../../core/clock.ts'
import type { Owner } from '../../search/person.ts'
import type { Store } from '../../store/store.ts'
import type { BriefAnswer, BriefRequest } from './reader.ts'
export interface BriefOptions {
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly owner: () => Owner
  readonly settings: AgentMemory['read']
}
export async function brief(_request: BriefRequest, _options: BriefOptions): Promise<BriefAnswer> {
  return { project: null, stable: '', changed: '', tokens: 0, text: '' }
}
