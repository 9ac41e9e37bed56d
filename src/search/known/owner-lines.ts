/** Facts of the owner that matter for work, in at most three lines: employer, role, place, preferences. No family. Redacted. */
import { ownerEntityId } from '../../graph/owner-entity.ts'
import { slotOf } from '../../graph/read/slot.ts'
import { type SynthesizedStatement, synthesize } from '../../graph/read/synthesize.ts'
import { tell } from '../../graph/read/tell.ts'
import type { Store } from '../../store/store.ts'

export interface OwnerLinesRequest {
  readonly agentId: string
  readonly now: number
  readonly personal: boolean
  readonly said: readonly string[]
}

const MOST = 3
const AT_WORK = [
  ['WORKS_AT', 'HAS_ROLE', 'HAS_TITLE', 'FOUNDED'],
  ['LIVES_IN', 'MOVING_TO'],
  ['PREFERS', 'DISLIKES'],
] as const
const SURE = new Set(['owner', 'agent', 'contact'])

export async function ownerLines(store: Store, { agentId, now, personal, said }: OwnerLinesRequest): Promise<string[]> {
  const owners = await store.reader.owners(agentId, ownerEntityId(agentId))
  const lines: string[] = []
  for (const id of owners) {
    const { entity, current } = await synthesize(store, id, { agentId, now, personal })
    for (const types of AT_WORK) {
      const fits = current.filter((one) => one.subject.entity_id === id && types.some((type) => type === one.type) && isFor(one, said))
      const groups = fits.length === 0 ? [] : [{ current: fits, former: [], uncertain: [] }]
      const line = tell({ entity, groups, relations: [], owner: new Set(owners) })
      if (line !== undefined) lines.push(line.text)
    }
  }
  return lines.slice(0, MOST)
}

/** Skips favorites, and preferences already shown. */
function isFor({ type, literal, object, observations }: SynthesizedStatement, said: readonly string[]): boolean {
  const value = object?.name ?? literal ?? ''
  if (!observations.some(({ trust }) => SURE.has(trust))) return false
  if (type !== 'PREFERS' && type !== 'DISLIKES') return true
  if (observations.some(({ fact }) => slotOf(type, fact, value) !== undefined || /favou?rite/i.test(fact))) return false
  return !said.some((text) => text.toLowerCase().includes(value.toLowerCase()))
}
