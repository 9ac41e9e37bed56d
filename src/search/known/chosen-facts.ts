/** Picks the facts of an entity that a text asks for, else the most telling ones. */
import { FACT_KINDS, type FactKind, kindsAsked } from '../../graph/read/fact-kinds.ts'
import { slotOf } from '../../graph/read/slot.ts'
import type { Synthesis, SynthesizedStatement } from '../../graph/read/synthesize.ts'
import type { ToldGroup } from '../../graph/read/tell.ts'
import { stemOf } from '../sought-words.ts'
import { isStopWord } from '../stop-words.ts'
import { asksWhetherProject, withoutWhether } from './owner-asked.ts'

export interface ChosenFacts {
  readonly groups: readonly ToldGroup[]
  readonly relations: readonly SynthesizedStatement[]
  readonly isAsked: boolean
}

export interface ChooseRequest {
  readonly text: string
  /** Names by which the entity was found: they ask for nothing. */
  readonly names: readonly string[]
  readonly owner: ReadonlySet<string>
  readonly others: ReadonlySet<string>
  readonly isQuestion: boolean
  readonly tellsMost: boolean
}

const MOST_GROUPS = 3
const MOST_UNASKED = 2
const MANY = 2

export function chosenFacts(known: Synthesis, request: ChooseRequest): ChosenFacts {
  const { entity } = known
  const relations = known.current.filter((one) => isRelation(one, entity.entity_id, request.owner))
  if (entity.type === 'project' && asksWhetherProject(request.text)) {
    // "Do we use npm?" asks for npm, not for all tools of the project.
    const tools = contentWords(withoutWhether(request.text))
    const group = groupOf(known, (one) => USED.has(one.type) && [...wordsOf(one)].some((word) => tools.has(word)), undefined)
    return { groups: group === undefined ? [] : [group], relations: [], isAsked: group !== undefined }
  }
  const text = without(request.text, request.names)
  const kinds = kindsAsked(text)
  // A word that selects a kind does not name a fact.
  const words = contentWords(kinds.reduce((rest, { asks }) => rest.replace(new RegExp(asks, 'gi'), ' '), text))
  const groups = [
    // "When did Tyler start at Anthropic" names both ends of a fact.
    request.isQuestion
      ? groupOf(
          known,
          (one) => isBetween(one, entity.entity_id, request.others) && !kinds.some(({ types }) => types.includes(one.type)),
          undefined,
        )
      : undefined,
    ...kinds.map((kind) => groupOf(known, (one) => kind.types.includes(one.type), kind)),
    groupOf(known, (one) => !kinds.some(({ types }) => types.includes(one.type)) && isNamedBy(one, words, kinds.length > 0), undefined),
  ].filter((group) => group !== undefined)
  if (groups.length > 0) return { groups: narrowed(distinct(groups), words).slice(0, MOST_GROUPS), relations, isAsked: true }
  if (relations.length > 0 && WHO.test(request.text)) return { groups: [], relations, isAsked: true }
  // A relation that the text names is the answer.
  if (relations.length > 0 && relations.some(({ type }) => kinds.some(({ types }) => types.includes(type))))
    return { groups: [], relations, isAsked: true }
  if (!request.tellsMost || (kinds.length > 0 && request.isQuestion)) return { groups: [], relations: [], isAsked: false }
  const own = {
    ...known,
    current: known.current.filter(({ subject }) => subject.entity_id === entity.entity_id),
    former: [],
    uncertain: [],
  }
  const most = FACT_KINDS.filter(({ name }) => TELLING.has(name)).flatMap(
    (kind) => groupOf(own, ({ type }) => kind.types.includes(type), kind) ?? [],
  )
  return { groups: distinct(most).slice(0, MOST_UNASKED), relations, isAsked: false }
}

const USED: ReadonlySet<string> = new Set(['USES', 'CUSTOMER_OF'])

const WHO = /\b(?:who(?:'s| is| are| was)|what(?:'s| is| are) [\w' ]{0,40}\b(?:names?|called))\b/i

const TELLING = new Set(['work', 'home', 'tools', 'birthday', 'schedule'])

function isBetween({ subject, object }: SynthesizedStatement, entity: string, others: ReadonlySet<string>): boolean {
  return subject.entity_id === entity && object !== null && others.has(object.entity_id)
}

function isRelation({ subject, object, type }: SynthesizedStatement, entity: string, owner: ReadonlySet<string>): boolean {
  if (owner.has(entity)) return false
  if (subject.entity_id === entity && object !== null && owner.has(object.entity_id)) return type.endsWith('_OF')
  return type === 'HAS_PET' && object?.entity_id === entity
}

function groupOf(known: Synthesis, fits: (one: SynthesizedStatement) => boolean, kind: FactKind | undefined): ToldGroup | undefined {
  const order = (one: SynthesizedStatement) => kind?.types.indexOf(one.type) ?? 0
  const current = known.current.filter(fits).sort((a, b) => order(a) - order(b) || compare(b.since, a.since))
  const slots = new Set(current.map(slot))
  // Former facts accompany current ones of the same slot; alone only if none is current.
  const former = known.former
    .filter((one) => fits(one) && one.why !== 'corrected' && (current.length === 0 || slots.has(slot(one))))
    .filter((one) => !current.some((now) => keyOfValue(now) === keyOfValue(one)))
    .sort((a, b) => compare(b.until, a.until))
  const uncertain = known.uncertain.filter(fits)
  return current.length + former.length + uncertain.length === 0 ? undefined : { current, former, uncertain }
}

function slot({ type, subject, observations, literal, object }: SynthesizedStatement): string {
  return `${subject.entity_id} ${slotOf(type, observations.at(-1)?.fact ?? '', object?.name ?? literal ?? '') ?? type}`
}

function keyOfValue({ type, object, literal }: SynthesizedStatement): string {
  return `${type} ${object?.entity_id ?? literal?.toLowerCase()}`
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
}

function distinct(groups: readonly ToldGroup[]): ToldGroup[] {
  const told = new Set<SynthesizedStatement>()
  const fresh = (all: readonly SynthesizedStatement[]) => all.filter((one) => !told.has(one) && told.add(one))
  return groups
    .map(({ current, former, uncertain }) => ({ current: fresh(current), former: fresh(former), uncertain: fresh(uncertain) }))
    .filter(({ current, former, uncertain }) => current.length + former.length + uncertain.length > 0)
}

/** Narrows many facts to those that other words name: the favorite color, not all preferences. */
function narrowed(groups: readonly ToldGroup[], words: ReadonlySet<string>): ToldGroup[] {
  const named = (one: SynthesizedStatement) => [...wordsOf(one)].some((word) => words.has(word))
  return groups.map((group) => {
    if (group.current.length + group.former.length <= MANY) return group
    const [current, former] = [group.current.filter(named), group.former.filter(named)]
    return current.length + former.length === 0 || current.length === group.current.length ? group : { ...group, current, former }
  })
}

/** By type name, or by most other words of the question: a single word may be chance. */
function isNamedBy(one: SynthesizedStatement, words: ReadonlySet<string>, hasKind: boolean): boolean {
  const types = one.type.split('_').map((word) => stemOf(word.toLowerCase()))
  if (types.some((word) => word.length > 3 && words.has(word))) return true
  if (hasKind || words.size === 0) return false
  const held = wordsOf(one)
  return [...words].filter((word) => held.has(word)).length > words.size / 2
}

function wordsOf({ observations, object, literal, subject }: SynthesizedStatement): Set<string> {
  const names = contentWords(`${subject.name}`)
  const words = contentWords(`${observations.map(({ fact }) => fact).join(' ')} ${object?.name ?? literal ?? ''}`)
  return new Set([...words].filter((word) => !names.has(word)))
}

function contentWords(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !isStopWord(word))
  return new Set(words.map(stemOf))
}

function without(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => (name === '' ? rest : rest.split(name).join(' ')), text)
}
