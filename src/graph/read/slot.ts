/** Relation types with one value at a time. Unlisted types keep many: a wrong guess would hide a fact that still holds. Pure. */

const ONE_AT_A_TIME: ReadonlySet<string> = new Set([
  ...['WORKS_AT', 'LIVES_IN', 'MOVING_TO', 'SPOUSE_OF', 'MARRIED_TO', 'DATING', 'REPORTS_TO', 'HAS_ROLE', 'HAS_TITLE', 'STUDIES_AT'],
  ...['SCHEDULED_FOR', 'STARTED_ON', 'ENDED_ON', 'OCCURRED_ON', 'ANNIVERSARY_ON', 'HAS_COMPENSATION', 'HAS_STATUS', 'HAS_DEADLINE'],
  ...['TYPICALLY_CONTACTS_AT', 'PREFERS_CHANNEL', 'COMMUNICATION_FREQUENCY'],
])

/** Never changes: a second value is a correction. */
const FIXED: ReadonlySet<string> = new Set(['BORN_ON', 'BORN_IN', 'FOUNDED_ON'])

const FAVOURITE = /\bfavou?rite\s+((?:\p{L}+\s+){0,2}?\p{L}+?)(?=\s+(?:is|was|are|has|to|changed|became|now|would)\b|['’]s\b|\s*[,:=.]|$)/iu
const COLOURS: ReadonlySet<string> = new Set(
  'red orange yellow green blue purple violet indigo pink brown black white grey gray cyan magenta teal turquoise gold silver beige'.split(
    ' ',
  ),
)

/** Values of one slot replace each other; undefined if many coexist. */
export function slotOf(type: string, fact: string, value: string): string | undefined {
  if (ONE_AT_A_TIME.has(type) || FIXED.has(type)) return type
  if (type !== 'PREFERS') return undefined
  const kind = FAVOURITE.exec(fact)?.[1]?.toLowerCase()
  if (kind !== undefined) return `PREFERS ${kind.replace('colour', 'color')}`
  return COLOURS.has(value.toLowerCase()) ? 'PREFERS color' : undefined
}

export function isFixed(type: string): boolean {
  return FIXED.has(type)
}

export interface PresentType {
  readonly type: string
  readonly past: boolean
  readonly onlyEnds?: 'denied' | 'gone' | undefined
}

/** `WORKED_AT` and `FORMERLY_WORKS_AT` are the past of `WORKS_AT`; `NOT_WORKS_AT` denies it. */
export function presentOf(type: string): PresentType {
  if (type.startsWith('NOT_')) return { type: type.slice('NOT_'.length), past: true, onlyEnds: 'denied' }
  if (type === 'LEFT') return { type: 'WORKS_AT', past: true, onlyEnds: 'gone' }
  const plain = PAST_TYPES.get(type) ?? type.replace(/^(?:FORMERLY|PREVIOUSLY|USED_TO|NO_LONGER|FORMER)_/, '')
  return { type: plain, past: plain !== type }
}

const PAST_TYPES: ReadonlyMap<string, string> = new Map([
  ['WORKED_AT', 'WORKS_AT'],
  ['LIVED_IN', 'LIVES_IN'],
  ['USED', 'USES'],
  ['PREFERRED', 'PREFERS'],
  ['DATED', 'DATING'],
  ['OWNED', 'OWNS'],
])
