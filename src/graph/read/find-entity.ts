/**
 * Which entity a name means: an id or the beginning of one, a name, an alias, an address; else what is nearest to it. Several that are called
 * the same are never guessed between.
 */
import type { Selectable } from 'kysely'
import { typingErrors } from '../../core/edit-distance.ts'
import { MnemonicError } from '../../core/error.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { unknownValue } from '../../core/unknown-value.ts'
import type { Store } from '../../store/store.ts'
import type { EntitiesTable } from '../../store/tables.ts'
import { canonicalOf } from './same-entity.ts'

export interface FindOptions {
  /** The persona whose memory is asked; `all` for every one. */
  readonly agentId: string
  /** Only of this type: person, project, … */
  readonly type?: string | undefined
}

export interface FoundEntity {
  readonly entity_id: string
  readonly type: string
  readonly name: string
  /** By what it was found; `near` is a guess. */
  readonly by: 'id' | 'name' | 'alias' | 'part' | 'near'
  readonly mentions: number
}

const LEAST_PREFIX = 6
const UUID_PART = /^[0-9a-f][0-9a-f-]{5,35}$/
/** Names are looked through up to here; what comes behind is found by its whole name or an alias. */
const MOST_NAMES = 100_000
const MOST_FOUND = 20
/** A shorter name is near to everything. */
const LEAST_NEAR = 4
const NONE = 'Nothing was extracted yet: mnemonic analyze.'

type Row = Pick<Selectable<EntitiesTable>, 'id' | 'type' | 'name'>

/** Best first; empty where nothing is called so. */
export async function findEntities(store: Store, name: string, options: FindOptions): Promise<FoundEntity[]> {
  const wanted = folded(name)
  if (wanted === '') return []
  const steps = [
    () => byId(store, name.trim().toLowerCase(), options),
    () => byName(store, name.trim(), options),
    () => byAlias(store, wanted, options),
  ]
  const exact = new Map<string, FoundEntity['by']>()
  for (const [place, step] of steps.entries())
    for (const id of await step()) if (!exact.has(id)) exact.set(id, (['id', 'name', 'alias'] as const)[place] ?? 'name')
  const found = exact.size > 0 ? exact : await nearTo(store, wanted, options)
  return described(store, found, options)
}

/** The one that is meant. Throws USAGE where there is none, AMBIGUOUS_ID where there are several. */
export async function entityCalled(store: Store, name: string, options: FindOptions): Promise<FoundEntity> {
  const found = await findEntities(store, name, options)
  const [first, second] = found
  if (first !== undefined && first.by !== 'near' && (second === undefined || (first.by === 'id' && second.by !== 'id'))) return first
  if (first === undefined || first.by === 'near') throw await nobody(store, name, options, found)
  const candidates = found.slice(0, 5).map(({ entity_id, name: called, type }) => `${entity_id.slice(0, 8)} (${called}, ${type})`)
  throw new MnemonicError('AMBIGUOUS_ID', `${found.length} entities are called ${JSON.stringify(oneLine(name, 60))}`, {
    details: { name: oneLine(name, 60), candidates },
    hint: `Give one of the ids: ${candidates.join(', ')}. Where they are the same: mnemonic entities review`,
  })
}

async function nobody(store: Store, name: string, { agentId, type }: FindOptions, near: readonly FoundEntity[]): Promise<MnemonicError> {
  let query = store.read.selectFrom('entities').select('name').where('canonical_id', 'is', null)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (type !== undefined) query = query.where('type', '=', type)
  const known = await query.orderBy('updated_at', 'desc').limit(1000).execute()
  const names = [...near.map((one) => one.name), ...known.map((one) => one.name)]
  return unknownValue({ filter: 'entity', said: 'nobody and nothing is called', values: [name], known: names, none: NONE })
}

async function byId({ read }: Store, text: string, options: FindOptions): Promise<string[]> {
  if (text.length < LEAST_PREFIX || !UUID_PART.test(text)) return []
  const rows = await scoped(
    read.selectFrom('entities').select('id').where('id', '>=', text).where('id', '<=', `${text}~`).limit(MOST_FOUND),
    options,
  ).execute()
  return rows.map(({ id }) => id)
}

async function byName({ read }: Store, name: string, options: FindOptions): Promise<string[]> {
  const rows = await scoped(read.selectFrom('entities').select('id').where('name', '=', name).limit(MOST_FOUND), options).execute()
  return rows.map(({ id }) => id)
}

/** Aliases are stored in one way of writing, the name itself among them. */
async function byAlias({ read }: Store, wanted: string, { agentId, type }: FindOptions): Promise<string[]> {
  let query = read
    .selectFrom('entity_aliases as a')
    .innerJoin('entities as e', 'e.id', 'a.entity_id')
    .select('e.id')
    .where('a.normalized', 'in', [...new Set([wanted, plainLetters(wanted)])])
    .where('a.alias_type', 'in', ['email', 'phone', 'handle', 'username', 'name', 'repository', 'package', 'path'])
  if (agentId !== 'all') query = query.where('a.agent_id', '=', agentId)
  if (type !== undefined) query = query.where('e.type', '=', type)
  const rows = await query.limit(MOST_FOUND).execute()
  return rows.map(({ id }) => id)
}

/** Names written in another case, a first or last name, and at last what is a typing error away. */
async function nearTo({ read }: Store, wanted: string, options: FindOptions): Promise<Map<string, FoundEntity['by']>> {
  const rows = await scoped(read.selectFrom('entities').select(['id', 'name']), options)
    .orderBy('updated_at', 'desc')
    .limit(MOST_NAMES)
    .execute()
  const all = rows.map(({ id, name }) => ({ id, name: folded(name) }))
  const take = (by: FoundEntity['by'], fits: (name: string) => boolean) =>
    new Map(all.flatMap(({ id, name }) => (fits(name) ? [[id, by] as const] : [])).slice(0, MOST_FOUND))
  const same = take('name', (name) => name === wanted)
  if (same.size > 0) return same
  const part = take('part', (name) => name.startsWith(`${wanted} `) || name.endsWith(` ${wanted}`) || name.endsWith(`/${wanted}`))
  if (part.size > 0 || wanted.length < LEAST_NEAR) return part
  const most = wanted.length > 7 ? 2 : 1
  return take('near', (name) => typingErrors(name, wanted, most) <= most)
}

async function described(store: Store, found: ReadonlyMap<string, FoundEntity['by']>, { type }: FindOptions): Promise<FoundEntity[]> {
  if (found.size === 0) return []
  const now = await canonicalOf(store, [...found.keys()])
  const ids = [...new Set(now.values())]
  const rows: Row[] = await store.read.selectFrom('entities').select(['id', 'type', 'name']).where('id', 'in', ids).execute()
  const mentions = await mentionsOf(store, ids)
  const byOf = (id: string) => [...found].find(([one]) => now.get(one) === id)?.[1] ?? 'name'
  return rows
    .filter((row) => type === undefined || row.type === type)
    .map((row) => ({
      ...{ entity_id: row.id, type: row.type, name: oneLine(redactSensitiveText(row.name, { mode: 'tools' }), 200) },
      ...{ by: byOf(row.id), mentions: mentions.get(row.id) ?? 0 },
    }))
    .sort((a, b) => ORDER.indexOf(a.by) - ORDER.indexOf(b.by) || b.mentions - a.mentions || (a.entity_id < b.entity_id ? -1 : 1))
}

const ORDER: readonly FoundEntity['by'][] = ['id', 'name', 'alias', 'part', 'near']

async function mentionsOf({ read }: Store, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom('episode_entity_mentions')
    .select((eb) => ['entity_id', eb.fn.sum<number>('mention_count').as('count')])
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute()
  return new Map(rows.map(({ entity_id, count }) => [entity_id, Number(count)]))
}

interface Scoped<Q> {
  where(column: 'agent_id' | 'type', is: '=', value: string): Q
}

function scoped<Q extends Scoped<Q>>(query: Q, { agentId, type }: FindOptions): Q {
  const mine = agentId === 'all' ? query : query.where('agent_id', '=', agentId)
  return type === undefined ? mine : mine.where('type', '=', type)
}

/** 'café zürich' is 'cafe zurich', 'at&t' is 'at t': as aliases of names are compared. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
}
