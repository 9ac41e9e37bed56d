/**
 * Facts from the graph about whom a text names, in at most three lines. Entities count by name, the owner and relatives by how people refer
 * to them. Redacted.
 */

import { foldedName } from '../../graph/folded-name.ts'
import { ownerEntityId } from '../../graph/owner-entity.ts'
import { type Citation, type Synthesis, synthesize } from '../../graph/read/synthesize.ts'
import { tell } from '../../graph/read/tell.ts'
import type { Store } from '../../store/store.ts'
import { chosenFacts } from './chosen-facts.ts'
import type { KnownLine } from './known-line.ts'
import { namesWritten } from './may-name.ts'
import { asksForOwner, asksWhoOwnerIs } from './owner-asked.ts'
import { projectsAsked } from './project-asked.ts'
import { relativesIn, saysSo } from './relatives-in.ts'

export interface KnownFact extends KnownLine {
  readonly isAsked: boolean
  /** And it holds now: a former or uncertain fact leaves the question open. */
  readonly isAnswer: boolean
  readonly isOwner: boolean
  readonly observations: readonly Citation[]
}

export interface KnownFactsRequest {
  readonly agentId: string
  readonly now: number
  readonly text: string
  readonly isQuestion: boolean
  /** Facts from personal conversations: all, only of people that the text names, or none. */
  readonly personal: 'always' | 'named' | 'never'
  /** Only facts that the text asks for; else also the most telling ones. */
  readonly asked: boolean
  /** Project of the current folder: its name asks for nothing. */
  readonly here?: string | null
}

const MOST_LINES = 3
const MOST_NAMED = 6

interface Meant {
  readonly id: string
  readonly type: string
  readonly called: string
  readonly at: number
  /** A project with many tools: the question may mean another one. */
  readonly isOneOfMany?: boolean
}

export async function knownFacts(store: Store, request: KnownFactsRequest): Promise<KnownFact[]> {
  const { agentId, text, now, personal, isQuestion } = request
  const relatives = relativesIn(text)
  const ofOwner = asksForOwner(text)
  const whoIsOwner = ofOwner && asksWhoOwnerIs(text)
  const named = [...(await namedIn(store, text, agentId)), ...(isQuestion ? await projectsIn(store, request) : [])]
  if (named.length === 0 && relatives.length === 0 && !ofOwner) return []
  const owners = await store.reader.owners(agentId, ownerEntityId(agentId))
  const owner = new Set(owners)
  const read = new Map<string, Promise<Synthesis>>()
  const synthesisOf = (id: string, isPerson: boolean) => {
    const withPersonal = personal === 'always' || (personal === 'named' && isPerson)
    const found = read.get(id) ?? synthesize(store, id, { agentId, now, personal: withPersonal })
    read.set(id, found)
    return found
  }
  const spoken = new Map<string, readonly string[]>()
  const meant: Meant[] = [...named]
  for (const relative of relatives) {
    const own: string[] = []
    for (const id of owners) {
      const { current } = await synthesisOf(id, true)
      const fits = current.filter(
        ({ subject, object, type }) => object?.entity_id === id && type === relative.type && subject.entity_id !== id,
      )
      const says = (word: string) => new RegExp(`\\b${word}\\b`, 'i')
      const meantSo = fits.filter(({ observations }) => observations.some(({ fact }) => saysSo(relative, fact)))
      const exact = meantSo.filter(({ observations }) => observations.some(({ fact }) => says(relative.word).test(fact)))
      own.push(...(exact.length > 0 ? exact : meantSo).map(({ subject }) => subject.entity_id))
    }
    const at = text.toLowerCase().indexOf(relative.word)
    // "My sister Sarah" is that Sarah; "my sister" means all sisters.
    const both = meant.filter(({ id }) => own.includes(id))
    if (both.length === 0) meant.push(...own.map((id) => ({ id, type: 'person', called: relative.word, at })))
    else remove(meant, (one) => !own.includes(one.id) && both.some(({ called }) => called === one.called))
    for (const id of own) spoken.set(id, [...(spoken.get(id) ?? []), relative.word])
    if (own.length === 0 && relative.name !== undefined)
      for (const { id, type } of await store.reader.entities(agentId, [foldedName(relative.name)]))
        if (type === 'person') meant.push({ id, type, called: relative.word, at })
  }
  if (ofOwner) meant.push(...owners.map((id) => ({ id, type: 'person', called: '', at: text.length })))
  const found: KnownFact[] = []
  for (const one of distinct(meant).slice(0, MOST_NAMED)) {
    const isPerson = one.type === 'person' || one.type === 'pet'
    const known = await synthesisOf(one.id, isPerson)
    const isHere = request.here != null && foldedName(known.entity.name) === foldedName(request.here)
    const chosen = chosenFacts(known, {
      ...{ text, owner, isQuestion, names: [one.called, known.entity.name, ...(spoken.get(one.id) ?? [])] },
      others: new Set(meant.flatMap(({ id }) => (id === one.id ? [] : [id]))),
      tellsMost: !request.asked && !isHere && (owner.has(one.id) ? whoIsOwner : isPerson || isQuestion || hasOwn(known)),
    })
    const line = tell({ entity: known.entity, groups: chosen.groups, relations: chosen.relations, owner })
    if (line === undefined || (request.asked && !chosen.isAsked) || saysNothingNew(line, found)) continue
    const holds = chosen.relations.length > 0 || chosen.groups.some(({ current }) => current.length > 0)
    const isAsked = chosen.isAsked && one.isOneOfMany !== true
    found.push({ ...known.entity, ...line, isAsked, isAnswer: isAsked && holds, isOwner: owner.has(one.id) })
  }
  return [...found.filter(({ isAsked }) => isAsked), ...found.filter(({ isAsked }) => !isAsked)].slice(0, MOST_LINES)
}

/** Another line says it from the other side. */
function saysNothingNew({ observations }: Pick<KnownFact, 'observations'>, said: readonly KnownFact[]): boolean {
  const known = new Set(said.flatMap((line) => line.observations.map(({ relationship_id }) => relationship_id)))
  return observations.every(({ relationship_id }) => known.has(relationship_id))
}

function hasOwn({ entity, current }: Synthesis): boolean {
  return current.some(({ subject }) => subject.entity_id === entity.entity_id)
}

/** Longer names first. */
async function namedIn(store: Store, text: string, agentId: string): Promise<Meant[]> {
  const written = new Map(namesWritten(text).map((name) => [foldedName(name), name]))
  if (written.size === 0) return []
  const exact = await store.reader.entities(agentId, [...written.keys()])
  // "Dana" alone means Dana Cole, if nobody is called just Dana.
  const alone = [...written.keys()].filter((name) => !name.includes(' ') && !exact.some(({ called }) => called === name))
  const rows = [...exact, ...(alone.length === 0 ? [] : await store.reader.byFirstName(agentId, alone))]
  const lower = text.toLowerCase()
  const found = rows
    .filter(({ type }) => type !== 'document' && type !== 'file')
    .map(({ id, type, called }) => {
      const name = written.get(called) ?? called
      return { id, type, called: name, at: lower.indexOf(name.toLowerCase()) }
    })
  return found
    .filter((one) => !found.some((other) => other.called !== one.called && holds(other.called, one.called)))
    .sort((a, b) => a.at - b.at)
}

async function projectsIn(store: Store, request: KnownFactsRequest): Promise<Meant[]> {
  const { text } = request
  const found = await projectsAsked(store, request)
  return found.map(({ id, type, called }) => ({
    id,
    type,
    called,
    at: Math.max(0, text.toLowerCase().indexOf(called.toLowerCase())),
    isOneOfMany: true,
  }))
}

function holds(longer: string, name: string): boolean {
  return ` ${longer.toLowerCase()} `.includes(` ${name.toLowerCase()} `)
}

function distinct(all: readonly Meant[]): Meant[] {
  return all.filter((one, i) => all.findIndex(({ id }) => id === one.id) === i).sort((a, b) => a.at - b.at)
}

function remove(all: Meant[], isOut: (one: Meant) => boolean): void {
  const kept = all.filter((one) => !isOut(one))
  all.splice(0, all.length, ...kept)
}
