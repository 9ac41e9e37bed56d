import { named, safe } from '../../core/named.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import { isFixed, slotOf } from './slot.ts'
import type { Citation, SynthesizedStatement } from './synthesize.ts'

export interface ToldGroup {
  readonly current: readonly SynthesizedStatement[]
  readonly former: readonly SynthesizedStatement[]
  readonly uncertain: readonly SynthesizedStatement[]
}

export interface TellRequest {
  readonly entity: { readonly entity_id: string; readonly name: string }
  readonly groups: readonly ToldGroup[]
  /** Relations to the owner, told after the name. */
  readonly relations: readonly SynthesizedStatement[]
  readonly owner: ReadonlySet<string>
}

export interface ToldLine {
  readonly text: string
  readonly citations: readonly string[]
  readonly trust: Trust
  readonly observations: readonly Citation[]
}

const MOST_VALUES = 4
const MOST_CITED = 4
const BEST_FIRST: readonly Trust[] = ['owner', 'agent', 'contact']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

export function tell({ entity, groups, relations, owner }: TellRequest): ToldLine | undefined {
  const told: SynthesizedStatement[] = []
  const viewed = { entity: entity.entity_id, owner, told }
  const clauses = groups.map((group) => clauseOf(group, viewed, groups.length > 1)).filter((clause) => clause !== '')
  const relation = relations.filter((one) => !told.includes(one)).slice(0, 2)
  if (clauses.length + relation.length === 0) return undefined
  const isOwner = owner.has(entity.entity_id)
  const note = relation.map((one) => phraseOf(one, viewed)).join(', ')
  told.push(...relation)
  const name = isOwner && /^owner$/i.test(entity.name) ? 'The owner' : `${shortName(entity.name)}${isOwner ? ' (the owner)' : ''}`
  const head = clauses.length > 0 && note !== '' ? `${name} (${note})` : name
  const first = relation[0]
  const body = clauses.length > 0 ? clauses.join('; ') : `${note}${first === undefined ? '' : datedBy(first)}${labelOf(relation)}`
  const citations = citationsOf(told)
  const cited = citations.length === 0 ? '' : ` [${citations.map(named).join(', ')}]`
  return { text: `${head}: ${body}${cited}`, citations, trust: worst(told), observations: told.flatMap(({ observations }) => observations) }
}

interface View {
  readonly entity: string
  readonly owner: ReadonlySet<string>
  /** Collects the statements told. */
  readonly told: SynthesizedStatement[]
}

function clauseOf({ current, former, uncertain }: ToldGroup, view: View, isOneOfSeveral: boolean): string {
  const shown = current.slice(0, MOST_VALUES)
  view.told.push(...shown)
  const holds = sayAll(shown, view) + (current.length > shown.length ? ` and ${current.length - shown.length} more` : '')
  const past = former.slice(0, MOST_VALUES - 1)
  view.told.push(...past)
  const [only] = past
  const before =
    only === undefined
      ? ''
      : shown.length === 0
        ? `before: ${past.map((one) => `${pastPhrase(one, view)}${one.until === null ? '' : ` (until ${asSaid(one, one.until)})`}`).join(', ')}${labelOf(past)}`
        : `before: ${past.map((one) => wordsOfValue(one, view)).join(', ')}${labelOf(past)}`
  const unsure = uncertain.slice(0, 2)
  view.told.push(...unsure)
  const perhaps = unsure.map((one) => `${DOUBT[one.why ?? 'weak'] ?? 'perhaps'} ${phraseOf(one, view)} (${saidOn(one)})${labelOf([one])}`)
  return [holds, before, ...perhaps].filter((part) => part !== '').join(isOneOfSeveral ? ', ' : '; ')
}

const DOUBT: Readonly<Record<string, string>> = {
  untrusted: 'claimed:',
  weak: 'perhaps',
  contested: 'contested:',
  planned: 'planned:',
}

function sayAll(statements: readonly SynthesizedStatement[], view: View): string {
  const [first] = statements
  if (first === undefined) return ''
  const phrases: string[] = []
  for (const [i, one] of statements.entries()) {
    const phrase = phraseOf(one, view)
    const before = statements[i - 1]
    // "prefers tea, coffee": the verb is not repeated.
    const again = before !== undefined && verbOf(before) === verbOf(one) && before.subject.entity_id === one.subject.entity_id
    phrases.push(again ? wordsOfValue(one, view) : phrase)
  }
  const isOneDate = statements.every((one) => datedBy(one) === datedBy(first)) || statements.some(({ type }) => type === 'WORKS_AT')
  const dated = isOneDate
    ? `${phrases.join(', ')}${datedBy(first)}`
    : phrases.map((phrase, i) => `${phrase}${datedBy(statements[i] as SynthesizedStatement)}`).join(', ')
  return dated + labelOf(statements)
}

function datedBy(one: SynthesizedStatement): string {
  const counted = one.observations.find(({ source_type }) => source_type === 'inferred')?.counted
  if (counted != null) return ` (counted from ${counted} events)`
  if (isFixed(one.type) || one.since === null || isOfUnreadTime(one)) return ` (${saidOn(one)})`
  return ` (since ${asSaid(one, one.since)})`
}

/** A date starts at midnight in the owner's zone, which may be the previous day in UTC. */
const HALF_A_DAY = 43_200_000

/** Only the precision that was said: "since 2019" has no day. */
function asSaid({ observations }: SynthesizedStatement, iso: string): string {
  const of = observations.find(({ said_at }) => said_at > iso)
  if (of === undefined) return dayOf(iso)
  const { fact } = of
  const day = dayOf(new Date(Date.parse(iso) + HALF_A_DAY).toISOString())
  if (YEAR_SAID.test(fact)) return day.slice(0, 4)
  return MONTH_SAID.test(fact) && !DAY_SAID.test(fact) ? day.slice(0, 7) : day
}

const YEAR_SAID =
  /\b(?:since|in|until|till|from|back in)(?: the)? (?:19|20)\d\d\b(?!-\d)|\bfor (?:[\w-]+ ){1,3}(?:years?|decades?)\b|\byears? ago\b|\blast year\b/i
const MONTH_SAID = /\bmonths?\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?! \d{1,2}\b)/
const DAY_SAID = /\b\d{1,2}(?:st|nd|rd|th)\b|\bdays?\b|\b\d{4}-\d\d-\d\d\b/i

/** "Since I was twelve": it began earlier, at an unknown time. */
const LONGER = /\b(?:since|for (?:\w+ ){0,3}?(?:years|months|weeks|decades|ages|a while|long)|always|all my life|as a child)\b/i

function isOfUnreadTime({ since, observations }: SynthesizedStatement): boolean {
  const first = observations[0]
  return first !== undefined && since === first.said_at && LONGER.test(first.fact)
}

function saidOn({ observations }: SynthesizedStatement): string {
  return `said ${dayOf(observations[0]?.said_at ?? '')}`
}

function dayOf(iso: string): string {
  return iso.slice(0, 10)
}

const PRESENT: Readonly<Record<string, string>> = {
  WORKS_AT: 'works at',
  HAS_ROLE: 'is',
  HAS_TITLE: 'is',
  HAS_SCHEDULE: 'schedule:',
  BORN_ON: 'born on',
}
const PAST: Readonly<Record<string, string>> = {
  WORKS_AT: 'worked at',
  LIVES_IN: 'lived in',
  HAS_ROLE: 'was',
  HAS_TITLE: 'was',
  USES: 'used',
  PREFERS: 'preferred',
  HAS_PET: 'had pet',
  OWNS: 'owned',
}

function verbOf({ type, literal, object, observations }: SynthesizedStatement): string {
  if (type === 'BORN_ON' && !/^\d{4}/.test(literal ?? '')) return 'birthday on'
  const slot = type === 'PREFERS' ? slotOf(type, observations.at(-1)?.fact ?? '', object?.name ?? literal ?? '') : undefined
  if (slot !== undefined) return `favorite ${slot.slice('PREFERS '.length)}:`
  return PRESENT[type] ?? safe(type.toLowerCase().replaceAll('_', ' '))
}

function phraseOf(one: SynthesizedStatement, view: View): string {
  const { subject, object, type } = one
  if (subject.entity_id === view.entity && object !== null && view.owner.has(object.entity_id) && type.endsWith('_OF'))
    return `the owner's ${wordOf(one)}`
  if (subject.entity_id === view.entity) return `${verbOf(one)} ${wordsOfValue(one, view)}`
  if (view.owner.has(view.entity) && type.endsWith('_OF')) return `${wordOf(one)}: ${safe(subject.name)}`
  if (type === 'HAS_PET') return view.owner.has(subject.entity_id) ? "the owner's pet" : `pet of ${whom(subject, view)}`
  return `${whom(subject, view)} ${verbOf(one)} ${wordsOfValue(one, view)}`
}

function pastPhrase(one: SynthesizedStatement, view: View): string {
  const who = one.subject.entity_id === view.entity ? '' : `${whom(one.subject, view)} `
  const past = PAST[one.type]
  return past === undefined ? `${who}${verbOf(one)} ${wordsOfValue(one, view)}` : `${who}${past} ${wordsOfValue(one, view)}`
}

function wordsOfValue({ type, object, literal }: SynthesizedStatement, view: View): string {
  if (object !== null) return whom(object, view)
  return safe(type === 'BORN_ON' ? calendarDay(literal ?? '') : (literal ?? ''))
}

function whom({ entity_id, name }: { readonly entity_id: string; readonly name: string }, { owner }: View): string {
  return owner.has(entity_id) ? 'the owner' : shortName(name)
}

/** Projects without a remote are named by their folder. */
function shortName(name: string): string {
  return safe(/^(?:\/|[A-Za-z]:\\)/.test(name) ? (name.split(/[\\/]/).findLast((part) => part !== '') ?? name) : name)
}

/** The owner's word if known (`sister`), else the relation (`sibling`). */
function wordOf({ type, subject, observations }: SynthesizedStatement): string {
  const name = subject.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const said = observations.at(-1)?.fact ?? ''
  const word = new RegExp(`\\b[Mm]y ([a-z-]{3,20}),? ${name}|${name}(?:,| is|'s) my ([a-z-]{3,20})\\b`, 'u').exec(said)
  return safe(word?.[1] ?? word?.[2] ?? type.toLowerCase().replace(/_of$/, '').replaceAll('_', ' '))
}

function calendarDay(iso: string): string {
  const [, year, month = '', day = ''] = /^(?:(\d{4})-)?(\d\d)-(\d\d)$/.exec(iso) ?? []
  const name = MONTHS[Number(month) - 1]
  return name === undefined ? iso : `${name} ${Number(day)}${year === undefined ? '' : `, ${year}`}`
}

function labelOf(statements: readonly SynthesizedStatement[]): string {
  const trust = worst(statements)
  return statements.length === 0 || trust === 'owner' || trust === 'agent' ? '' : ` [${trust}]`
}

function worst(statements: readonly SynthesizedStatement[]): Trust {
  const best = ({ observations }: SynthesizedStatement) => BEST_FIRST.find((label) => observations.some(({ trust }) => trust === label))
  return leastTrusted(statements.map((one) => best(one) ?? 'untrusted'))
}

function citationsOf(told: readonly SynthesizedStatement[]): string[] {
  return [...new Set(told.flatMap(({ observations }) => observations.find(({ id }) => id !== null)?.id ?? []))].slice(0, MOST_CITED)
}
