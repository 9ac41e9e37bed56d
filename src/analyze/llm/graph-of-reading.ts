/**
 * Checks each finding of a model against its text. A missing quote, bad form or forbidden source refuses that finding alone. Never repairs
 * one.
 */
import {
  type Extracted,
  type ExtractedAlias,
  type ExtractedEntity,
  type ExtractedObservation,
  OWNER_REF,
  type Span,
} from '../../graph/extracted.ts'
import type { Reading } from './prompts/conversation.ts'
import type { Participant, RecordedText } from './recorded-text.ts'
import type { SentMessage } from './sent-message.ts'

export interface Checked<T> {
  readonly found: T
  readonly refused: number
}

const RELATION = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,5}$/
const LONGEST_RELATION = 48
/** Limit per turn; a window gets at most `MOST_TURNS` times that. */
const MOST_OF_TURN = 30
const MOST_TURNS = 4
const LONGEST_NAME = 120
const LONGEST_LITERAL = 200
/** Financial relations: untrusted messages may not state these. */
export const FINANCIAL = /ACCOUNT|ROUTING|IBAN|COMPENSATION|SALARY|INCOME|PAYMENT|CARD|BALANCE|DEBT|PASSWORD|PIN_CODE|SSN|TAX_ID/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_OF_YEAR = /^-?-?\d{2}-\d{2}$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

export interface ReadingOf {
  readonly recorded: RecordedText
  readonly project: string | null
  readonly types: readonly string[]
  readonly own: ReadonlySet<string>
  /** True for the first episode, which counts findings without a valid message. */
  readonly isFirst: boolean
}

type Graph = Pick<Reading, 'entities' | 'observations' | 'aliases' | 'same'>

export function graphOf(reading: Graph, { recorded, project, types, own, isFirst }: ReadingOf): Checked<Extracted> {
  const isOwn = (id: string) => own.has(messageOf(recorded, id)?.message.message ?? '')
  const isCounted = (id: string) => isOwn(id) || (isFirst && messageOf(recorded, id) === undefined)
  const most = MOST_OF_TURN * Math.min(MOST_TURNS, new Set(recorded.messages.map(({ message }) => message.turn)).size || 1)
  const over = [...reading.entities.slice(most), ...reading.observations.slice(most)]
  let refused = over.filter(({ message }) => isCounted(message)).length
  const known = new Map<string, ExtractedEntity>()
  for (const one of reading.entities.slice(0, most)) {
    const entity = known.has(one.id) || isTaken(one.id, recorded) ? undefined : entityOf(one, recorded, types)
    if (entity !== undefined) known.set(one.id, entity)
    else if (isCounted(one.message)) refused++
  }
  const used = new Map<string, ExtractedEntity>()
  const use = (entity: ExtractedEntity) => used.set(entity.ref, merged(used.get(entity.ref), entity))
  for (const entity of known.values()) if (entity.mentions.some(({ message }) => own.has(message))) use(ownPart(entity, own))
  const cite = (one: { readonly message: string; readonly quote: string }) => {
    const at = messageOf(recorded, one.message)
    const span = at?.locate(one.quote)
    const refer = (id: string) => {
      const entity = span === undefined ? undefined : refOf(id, { recorded, project, known, span })
      if (entity === undefined || span === undefined || entity.mentions.some(({ message }) => own.has(message))) return entity
      // Named in another turn of the window; this one only says "she" or "that company".
      return { ...entity, aliases: [], mentions: [span], elsewhere: { entity, messages: messagesOf(entity, recorded) } }
    }
    return { at, span, refer }
  }
  const observations: ExtractedObservation[] = []
  for (const one of reading.observations.slice(0, most)) {
    if (!isCounted(one.message)) continue
    const { at, span, refer } = cite(one)
    const subject = refer(one.subject)
    const object = objectOf(one, refer)
    if (at === undefined || span === undefined || subject === undefined || object === undefined || !mayBeObserved(one, at, recorded)) {
      refused++
      continue
    }
    for (const entity of [subject, ...('entity' in object ? [object.entity] : [])]) use(ownPart(entity, own))
    const [from, until] = [dayOf(one.valid_from), dayOf(one.valid_until)]
    observations.push({
      ...{ subject: subject.ref, type: one.type, fact: one.quote.trim(), confidence: confidence(one.confidence), span },
      object: 'entity' in object ? { ref: object.entity.ref } : object,
      sourceType: one.source_type,
      ...(from === undefined ? {} : { validAt: from }),
      ...(until === undefined ? {} : { invalidAt: until }),
    })
  }
  for (const one of reading.aliases.slice(0, most)) {
    if (!isCounted(one.message)) continue
    const { at, span, refer } = cite(one)
    const entity = refer(one.entity)
    const value = one.value.trim()
    const place = at?.mentions(value)[0]
    if (at === undefined || span === undefined || entity === undefined || place === undefined || !mayName(one.entity, at, recorded))
      refused++
    else use({ ...ownPart(entity, own), aliases: [{ type: one.kind, value, from: 'text', span: place }] })
  }
  for (const one of reading.same.slice(0, most)) {
    if (!isCounted(one.message)) continue
    const { at, span, refer } = cite(one)
    const [entity, other] = [known.get(one.entity), refer(one.as)]
    const mayBe = entity !== undefined && other !== undefined && entity.type === other.type && own.has(entity.mentions[0]?.message ?? '')
    if (at === undefined || span === undefined || !mayBe || !mayName(one.entity, at, recorded)) refused++
    // Two entities with a shared name are never merged here: a person decides.
    else
      use({
        ...ownPart(entity, own),
        aliases: [...ownPart(entity, own).aliases, { type: 'name', value: other.name, from: 'text', span, maybe: true }],
      })
  }
  return { found: { entities: [...used.values()], observations }, refused }
}

function ownPart(entity: ExtractedEntity, own: ReadonlySet<string>): ExtractedEntity {
  return {
    ...entity,
    mentions: entity.mentions.filter(({ message }) => own.has(message)),
    aliases: entity.aliases.filter(({ span }) => span === undefined || own.has(span.message)),
  }
}

function messagesOf({ mentions }: ExtractedEntity, { messages }: RecordedText) {
  const named = new Set(mentions.map(({ message }) => message))
  return messages.flatMap(({ message }) => (named.has(message.message) ? [message] : []))
}

/** Agents introduce nobody; strangers only themselves. */
function mayName(id: string, { message }: SentMessage, { speakers }: RecordedText): boolean {
  if (message.by === 'agent' || message.trust === 'agent') return false
  return message.trust !== 'untrusted' || speakers.get(message.message)?.id === id
}

export function messageOf({ messages }: RecordedText, id: string): SentMessage | undefined {
  const number = /^m(\d{1,4})$/.exec(id.trim())?.[1]
  return number === undefined ? undefined : messages[Number(number) - 1]
}

export function confidence(value: number): number {
  return Number.isFinite(value) ? Math.min(0.95, Math.max(0, value)) : 0
}

/** The source defines participants, not the model. */
function isTaken(id: string, { participants }: RecordedText): boolean {
  return id === 'project' || /^k\d+$/.test(id) || participants.some((one) => one.id === id)
}

function entityOf(one: Reading['entities'][number], recorded: RecordedText, types: readonly string[]): ExtractedEntity | undefined {
  const name = one.name.trim()
  const at = messageOf(recorded, one.message)
  const place = at === undefined ? undefined : firstMention(at, one.quote, name)
  if (name === '' || name.length > LONGEST_NAME || name.includes('[REDACTED') || !types.includes(one.type) || place === undefined)
    return undefined
  const mentions = recorded.messages.flatMap((message) => message.mentions(name))
  const aliases = one.aliases.flatMap(({ kind, value }): ExtractedAlias[] => {
    const span = at?.mentions(value.trim())[0]
    const isWhole = value.trim() !== '' && !value.includes('[REDACTED')
    return span === undefined || !isWhole ? [] : [{ type: kind, value: value.trim(), from: 'text', span }]
  })
  const named: ExtractedAlias = { type: 'name', value: name, from: 'text', span: mentions[0] ?? place }
  return {
    ref: `${one.type}:${name.toLowerCase()}`,
    ...{ type: one.type, name, confidence: 0.8, mentions: mentions.length > 0 ? mentions : [place] },
    aliases: [named, ...aliases.filter(({ type, value }) => type !== 'name' || value !== name)],
  }
}

function firstMention(at: SentMessage, quote: string, name: string): Span | undefined {
  if (quote.trim() !== name) {
    if (!quote.includes(name) || at.locate(quote) === undefined) return undefined
  }
  return at.mentions(name)[0]
}

interface Refer {
  readonly recorded: RecordedText
  readonly project: string | null
  readonly known: ReadonlyMap<string, ExtractedEntity>
  readonly span: Span
}

function refOf(id: string, { recorded, project, known, span }: Refer): ExtractedEntity | undefined {
  const found = known.get(id)
  if (found !== undefined) return found
  if (id === 'project')
    return project === null ? undefined : { ref: 'project', type: 'project', name: project, aliases: [], mentions: [span], confidence: 0.9 }
  const remembered = /^k[1-9]\d*$/.test(id) ? recorded.known[Number(id.slice(1)) - 1] : undefined
  if (remembered !== undefined) {
    const { id: entity, type, name } = remembered
    return { ref: `known:${entity}`, type, name, aliases: [], mentions: [span], confidence: 0.9, elsewhere: { id: entity } }
  }
  const participant = recorded.participants.find((one) => one.id === id)
  return participant === undefined ? undefined : participantEntity(participant)
}

/** Same refs as the rules. Without name and handle a person cannot be recognised again. */
export function participantEntity({ name, handle, isOwner, message }: Participant): ExtractedEntity | undefined {
  if (name === null && handle === null && !isOwner) return undefined
  const ref = isOwner ? OWNER_REF : handle !== null ? `handle:${handle}` : `person:${(name ?? '').toLowerCase()}`
  const named: ExtractedAlias[] = name === null ? [] : [{ type: 'name', value: name, from: 'header' }]
  const type =
    handle === null ? undefined : handle.includes('@') && handle.includes('.') ? 'email' : /^\+?\d{6,}$/.test(handle) ? 'phone' : 'handle'
  const aliases: ExtractedAlias[] = type === undefined || handle === null ? named : [{ type, value: handle, from: 'header' }, ...named]
  const mentions = [{ message, start: 0, end: 0 }]
  return { ref, type: 'person', name: name ?? (isOwner ? 'Owner' : (handle ?? '')), aliases, mentions, confidence: 0.95 }
}

function merged(before: ExtractedEntity | undefined, entity: ExtractedEntity): ExtractedEntity {
  if (before === undefined || before === entity) return entity
  const key = ({ message, start, end }: Span) => `${message} ${start} ${end}`
  const named = new Set(before.aliases.map(({ type, value }) => `${type} ${value}`))
  const aliases = [...before.aliases, ...entity.aliases.filter(({ type, value }) => !named.has(`${type} ${value}`))]
  const more = entity.mentions.filter((span) => !before.mentions.some((other) => key(other) === key(span)))
  return { ...before, aliases, mentions: [...before.mentions, ...more] }
}

type Object = { readonly entity: ExtractedEntity } | { readonly literal: string }

function objectOf(one: Reading['observations'][number], refer: (id: string) => ExtractedEntity | undefined): Object | undefined {
  const literal = one.literal?.trim() ?? ''
  if ((one.object === null) === (literal === '')) return undefined
  if (one.object !== null) {
    const entity = one.object === one.subject ? undefined : refer(one.object)
    return entity === undefined ? undefined : { entity }
  }
  const isSaid =
    one.quote.toLowerCase().includes(literal.toLowerCase()) || DAY.test(literal) || DAY_OF_YEAR.test(literal) || TIME.test(literal)
  return literal.length > LONGEST_LITERAL || literal.includes('[REDACTED') || !isSaid ? undefined : { literal }
}

/** Agents state no facts. Untrusted senders state only facts about themselves, none financial. */
function mayBeObserved(one: Reading['observations'][number], { message }: SentMessage, { speakers }: RecordedText): boolean {
  if (!RELATION.test(one.type) || one.type.length > LONGEST_RELATION) return false
  if (message.by === 'agent' || message.trust === 'agent') return false
  if (message.trust === 'untrusted' && speakers.get(message.message)?.id !== one.subject) return false
  return !(FINANCIAL.test(one.type) && message.trust === 'untrusted')
}

function dayOf(text: string | null): number | undefined {
  if (text === null || !DAY.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : time
}
