/**
 * Entities that a conversation may mean: named in it, mentioned earlier, or close to the owner. With known facts, trusted and redacted,
 * never money.
 */
import type { Kysely } from 'kysely'
import { PERSONAL_SOURCES } from '../../config/source-names.ts'
import { padded } from '../../core/padded.ts'
import { redactVisible } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { foldedName, foldedPersonName } from '../../graph/folded-name.ts'
import type { Tables } from '../../store/tables.ts'
import { FINANCIAL } from './graph-of-reading.ts'
import type { KnownEntity } from './recorded-text.ts'

export interface KnownRequest {
  readonly agentId: string
  readonly threads: readonly string[]
  readonly texts: readonly string[]
  readonly now: number
  readonly personal?: PersonalFacts | undefined
}

/** `read.personal`: send facts about everyone, about named entities, or about nobody. */
export type PersonalFacts = 'always' | 'named' | 'never'

export interface Known {
  readonly entities: readonly KnownEntity[]
  /** Source messages of the facts: the answer is forgotten with them. */
  readonly messages: readonly string[]
}

const MOST_ENTITIES = 24
const MOST_NAMES = 400
const MOST_OF_CONVERSATION = 12
const MOST_OF_OWNER = 12
const MOST_FACTS = 4
const LONGEST_NAME = 80
const LONGEST_FACT = 120

export async function knownEntities(db: Kysely<Tables>, request: KnownRequest): Promise<Known> {
  const { personal = 'always' } = request
  const spoken = new Set(await named(db, request))
  const found = [...spoken, ...(await spokenOf(db, request)), ...(await nearOwner(db, request))]
  const ids = [...new Set(found)].slice(0, MOST_ENTITIES)
  if (ids.length === 0) return { entities: [], messages: [] }
  const rows = await db.selectFrom('entities').select(['id', 'type', 'name', 'key']).where('id', 'in', padded(ids)).execute()
  const by = new Map(rows.map((row) => [row.id, row]))
  const messages = new Set<string>()
  const entities: KnownEntity[] = []
  for (const id of ids) {
    const row = by.get(id)
    // The owner participates, or has no name here.
    if (row === undefined || row.key.startsWith('owner:')) continue
    const isOpen = personal === 'always' || (personal === 'named' && spoken.has(id))
    const names = await openOf(db, await namesOf(db, id), isOpen)
    // Known only from private messages and mails, so the name is private too.
    if (names.length === 0) continue
    const facts = await openOf(db, await factsOf(db, id, request.now), isOpen)
    for (const { message } of [...names, ...facts]) messages.add(message)
    const name = shown(row.name, LONGEST_NAME)
    const also = [...new Set(names.map(({ value }) => shown(value, LONGEST_NAME)))].filter((other) => other !== name)
    entities.push({ id, type: row.type, name, also: also.slice(0, MOST_FACTS), facts: [...new Set(facts.map(({ fact }) => fact))] })
  }
  return { entities, messages: await inLedgers(db, [...messages]) }
}

/** Excludes facts from messages, mails and calendars, and counts of them. */
async function openOf<Row extends { readonly message: string }>(db: Kysely<Tables>, rows: readonly Row[], isOpen: boolean): Promise<Row[]> {
  const ids = rows.map(({ message }) => message).filter((id) => id !== '')
  if (isOpen || rows.length === 0) return [...rows]
  const personal = await db
    .selectFrom('events')
    .select('id')
    .where('id', 'in', padded(ids))
    .where('source_adapter', 'in', [...PERSONAL_SOURCES])
    .execute()
  const closed = new Set(['', ...personal.map(({ id }) => id)])
  return rows.filter(({ message }) => !closed.has(message))
}

const CAPITALIZED = /\p{Lu}[\p{L}\p{N}'’.&-]*(?: \p{Lu}[\p{L}\p{N}'’.&-]*){0,3}/gu

function namesIn(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts)
    for (const [words] of text.matchAll(CAPITALIZED)) {
      const all = words.split(' ')
      for (let from = 0; from < all.length; from++)
        for (let to = from + 1; to <= all.length; to++) {
          const name = all
            .slice(from, to)
            .join(' ')
            .replace(/(?:['’]s|[.'’-])+$/, '')
          for (const folded of [foldedName(name), foldedPersonName(name)]) if (folded.length > 1) found.add(folded)
          if (found.size > MOST_NAMES) return [...found]
        }
    }
  return [...found]
}

async function named(db: Kysely<Tables>, { agentId, texts }: KnownRequest): Promise<string[]> {
  const names = namesIn(texts)
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select((eb) => eb.fn.coalesce('e.canonical_id', 'e.id').as('id'))
    .distinct()
    .where('a.agent_id', '=', agentId)
    .where('a.alias_type', '=', 'name')
    .where('a.trust', '<>', 'untrusted')
    .where('a.normalized', 'in', padded(names))
    .limit(MOST_ENTITIES)
    .execute()
  return rows.map(({ id }) => id)
}

async function spokenOf(db: Kysely<Tables>, { agentId, threads }: KnownRequest): Promise<string[]> {
  if (threads.length === 0) return []
  const rows = await db
    .selectFrom('episodes as p')
    .innerJoin('episode_entity_mentions as m', 'm.episode_id', 'p.id')
    .innerJoin('entities as e', 'e.id', 'm.entity_id')
    .select((eb) => [eb.fn.coalesce('e.canonical_id', 'e.id').as('id'), eb.fn.max('p.start_time').as('last')])
    .where('p.thread_id', 'in', threads)
    .where('p.agent_id', '=', agentId)
    .groupBy((eb) => eb.fn.coalesce('e.canonical_id', 'e.id'))
    .orderBy('last', 'desc')
    .orderBy('id')
    .limit(MOST_OF_CONVERSATION)
    .execute()
  return rows.map(({ id }) => id)
}

async function nearOwner(db: Kysely<Tables>, { agentId }: KnownRequest): Promise<string[]> {
  const owners = await db.selectFrom('entities').select('id').where('agent_id', '=', agentId).where('key', 'like', 'owner:%').execute()
  const of = owners.map(({ id }) => id)
  if (of.length === 0) return []
  const near = async (one: 'subject_id' | 'object_id', other: 'subject_id' | 'object_id') =>
    db
      .selectFrom('relationships as r')
      .innerJoin('entities as e', 'e.id', `r.${other}`)
      .select((eb) => [eb.fn.coalesce('e.canonical_id', 'e.id').as('id'), eb.fn.max('r.created_at').as('last')])
      .where(`r.${one}`, 'in', padded(of))
      .where('r.trust', '<>', 'untrusted')
      .where('e.type', 'in', ['person', 'pet'])
      .groupBy((eb) => eb.fn.coalesce('e.canonical_id', 'e.id'))
      .orderBy('last', 'desc')
      .orderBy('id')
      .limit(MOST_OF_OWNER)
      .execute()
  const rows = [...(await near('subject_id', 'object_id')), ...(await near('object_id', 'subject_id'))]
  return rows.sort((a, b) => Number(b.last) - Number(a.last)).map(({ id }) => id)
}

async function namesOf(db: Kysely<Tables>, id: string) {
  const rows = await db
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select(['a.value', 'a.message_id'])
    .where((eb) => eb.or([eb('e.id', '=', id), eb('e.canonical_id', '=', id)]))
    .where('a.alias_type', '=', 'name')
    .where('a.trust', '<>', 'untrusted')
    .orderBy('a.rank')
    .limit(MOST_FACTS * 2)
    .execute()
  return rows.map(({ value, message_id }) => ({ value, message: message_id ?? '' }))
}

async function factsOf(db: Kysely<Tables>, id: string, now: number) {
  const rows = await db
    .selectFrom('relationships as r')
    .innerJoin('entities as s', 's.id', 'r.subject_id')
    .leftJoin('entities as o', 'o.id', 'r.object_id')
    .select(['r.type', 'r.target_literal as literal', 'r.message_id as message', 's.name as subject', 'o.name as object'])
    .select((eb) => eb.fn.coalesce('s.canonical_id', 's.id').as('of'))
    .where((eb) => eb.or([eb('s.id', '=', id), eb('s.canonical_id', '=', id), eb('o.id', '=', id), eb('o.canonical_id', '=', id)]))
    .where('r.trust', '<>', 'untrusted')
    .where((eb) => eb.or([eb('r.invalid_at', 'is', null), eb('r.invalid_at', '>', now)]))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .limit(MOST_FACTS * 2)
    .execute()
  return rows
    .filter(({ type }) => !FINANCIAL.test(type))
    .slice(0, MOST_FACTS)
    .map(({ type, literal, message, subject, object, of }) => ({
      fact: shown(of === id ? `${type} ${object ?? literal ?? ''}` : `${subject} ${type} it`, LONGEST_FACT),
      message: message ?? '',
    }))
}

function shown(text: string, most: number): string {
  return oneLine(redactVisible(text), most)
}

/** The owner's explicit statements have an event; counted facts have no message. */
async function inLedgers(db: Kysely<Tables>, messages: readonly string[]): Promise<string[]> {
  const ids = messages.filter((id) => id !== '')
  if (ids.length === 0) return []
  const found: string[] = []
  for (const table of ['agent_messages', 'events'] as const)
    found.push(...(await db.selectFrom(table).select('id').where('id', 'in', padded(ids)).execute()).map(({ id }) => id))
  return found
}
