/** Facts shown beside hits; none if a filter narrows memory. Redacted. */
import type { Store } from '../../store/store.ts'
import { asSpelled } from '../as-spelled.ts'
import type { PersonalSetting } from '../personal-scope.ts'
import type { SearchFilters } from '../result.ts'
import type { KnownLine } from './known-line.ts'
import { mayNameSomebody } from './may-name.ts'

interface Asking {
  readonly asked: readonly string[]
  readonly filters: SearchFilters
  readonly personal: PersonalSetting
  readonly agentId: string
  readonly now: number
}

/** Filters that do not narrow facts. */
const WHOLE = new Set(['agent', 'sources', 'entity'])

export async function knownForSearch(
  store: Store,
  { asked: [typed = ''], filters, personal, agentId, now }: Asking,
): Promise<readonly KnownLine[] | undefined> {
  const text = asSpelled(typed)
  const narrowed = Object.entries(filters).some(([name, value]) => !WHOLE.has(name) && value !== undefined)
  const sources = filters.sources ?? []
  if (narrowed || (sources.length > 0 && sources.every((source) => source === 'memory')) || !mayNameSomebody(text)) return undefined
  const { knownFacts } = await import('./known-facts.ts')
  const reach = sources.length === 0 || sources.includes('events') ? personal : 'never'
  const facts = await knownFacts(store, { agentId: filters.agent ?? agentId, now, text, isQuestion: true, personal: reach, asked: true })
  if (facts.length === 0) return undefined
  return facts.map(({ entity_id, type, name, text: line, citations, trust }) => ({ entity_id, type, name, text: line, citations, trust }))
}
