/**
 * What a model says of people and things, checked against the text it says it of. Each finding stands or falls by itself: what cites words that
 * are not there, has no form, or may not come from such a source, is refused and counted. Nothing is mended.
 */
import {
  type Extracted,
  type ExtractedAlias,
  type ExtractedEntity,
  type ExtractedObservation,
  OWNER_REF,
  type Span,
} from '../../graph/extracted.ts'
import type { Reading } from './prompts/reading.ts'
import type { Participant, RecordedText } from './recorded-text.ts'
import type { SentMessage } from './sent-message.ts'

export interface Checked<T> {
  readonly found: T
  readonly refused: number
}

const RELATION = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,5}$/
const LONGEST_RELATION = 48
const MOST_ENTITIES = 30
const MOST_OBSERVATIONS = 30
const LONGEST_NAME = 120
const LONGEST_LITERAL = 200
/** Money and accounts: only the owner and people that they write with are asked about these. */
const FINANCIAL = /ACCOUNT|ROUTING|IBAN|COMPENSATION|SALARY|INCOME|PAYMENT|CARD|BALANCE|DEBT|PASSWORD|PIN_CODE|SSN|TAX_ID/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_OF_YEAR = /^-?-?\d{2}-\d{2}$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

export interface ReadingOf {
  readonly recorded: RecordedText
  readonly project: string | null
  readonly types: readonly string[]
}

export function graphOf(reading: Pick<Reading, 'entities' | 'observations'>, { recorded, project, types }: ReadingOf): Checked<Extracted> {
  let refused = Math.max(0, reading.entities.length - MOST_ENTITIES) + Math.max(0, reading.observations.length - MOST_OBSERVATIONS)
  const known = new Map<string, ExtractedEntity>()
  for (const one of reading.entities.slice(0, MOST_ENTITIES)) {
    const entity = known.has(one.id) || isTaken(one.id, recorded) ? undefined : entityOf(one, recorded, types)
    if (entity === undefined) refused++
    else known.set(one.id, entity)
  }
  const observations: ExtractedObservation[] = []
  const used = new Map<string, ExtractedEntity>([...known.values()].map((entity) => [entity.ref, entity]))
  for (const one of reading.observations.slice(0, MOST_OBSERVATIONS)) {
    const at = messageOf(recorded, one.message)
    const span = at?.locate(one.quote)
    const refer = (id: string) => (span === undefined ? undefined : refOf(id, { recorded, project, known, span }))
    const subject = refer(one.subject)
    const object = objectOf(one, refer)
    if (at === undefined || span === undefined || subject === undefined || object === undefined || !mayBeObserved(one, at, recorded)) {
      refused++
      continue
    }
    for (const entity of [subject, ...('entity' in object ? [object.entity] : [])])
      used.set(entity.ref, merged(used.get(entity.ref), entity))
    const [from, until] = [dayOf(one.valid_from), dayOf(one.valid_until)]
    observations.push({
      ...{ subject: subject.ref, type: one.type, fact: one.quote.trim(), confidence: confidence(one.confidence), span },
      object: 'entity' in object ? { ref: object.entity.ref } : object,
      ...(from === undefined ? {} : { validAt: from }),
      ...(until === undefined ? {} : { invalidAt: until }),
    })
  }
  return { found: { entities: [...used.values()], observations }, refused }
}

export function messageOf({ messages }: RecordedText, id: string): SentMessage | undefined {
  const number = /^m(\d{1,4})$/.exec(id.trim())?.[1]
  return number === undefined ? undefined : messages[Number(number) - 1]
}

export function confidence(value: number): number {
  return Number.isFinite(value) ? Math.min(0.95, Math.max(0, value)) : 0
}

/** Who takes part is known by the source, and is not the model's to define. */
function isTaken(id: string, { participants }: RecordedText): boolean {
  return id === 'project' || participants.some((one) => one.id === id)
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

/** The quote must be there and hold the name; a name alone may stand at several places. */
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
  /** Of the words that name it. */
  readonly span: Span
}

function refOf(id: string, { recorded, project, known, span }: Refer): ExtractedEntity | undefined {
  const found = known.get(id)
  if (found !== undefined) return found
  if (id === 'project')
    return project === null ? undefined : { ref: 'project', type: 'project', name: project, aliases: [], mentions: [span], confidence: 0.9 }
  const participant = recorded.participants.find((one) => one.id === id)
  return participant === undefined ? undefined : participantEntity(participant)
}

/** By the same refs as the rules give them. Somebody without name and handle cannot be known again. */
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
  const more = entity.mentions.filter((span) => !before.mentions.some((other) => key(other) === key(span)))
  return { ...before, mentions: [...before.mentions, ...more] }
}

type Object = { readonly entity: ExtractedEntity } | { readonly literal: string }

/** One of both: a thing that has a name, or a value that the quote says. */
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

/** Of an agent nothing is observed; of a stranger only what they say of themselves; of money only what the owner's own circle says. */
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
