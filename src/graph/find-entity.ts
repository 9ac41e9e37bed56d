/**
 * Resolves an id, id prefix, name or address to an entity. Writers need an exact match; readers also accept a unique first or last name.
 * Ambiguous names are listed, never guessed.
 */
import { MnemonicError } from '../core/error.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { normalHandle } from '../ledgers/people/handle.ts'
import type { WriteTx } from '../store/store.ts'
import { qualifierIn } from './entity-key.ts'
import { foldedName, foldedPersonName } from './folded-name.ts'
import { entitiesNear, type NearEntity } from './near-entity.ts'
import { placeName } from './place-names.ts'
import { relationKind } from './relatives.ts'
import { ENTITY_COLUMNS, type EntityRow } from './same-entity.ts'

type Db = Pick<WriteTx, 'db'>

const SHORTEST = 6
const ALIAS_TYPES = ['name', 'email', 'phone', 'handle', 'username', 'repository', 'package', 'path'] as const

export interface FindOptions {
  /** `all`: every memory. */
  readonly agentId: string
  readonly type?: string | undefined
  /** Returns the named entity itself, not its canonical one. */
  readonly own?: boolean
}

export interface FoundEntity {
  readonly entity_id: string
  readonly type: string
  readonly name: string
  /** `part`: first or last name; `near`: a typo. Both only without an exact match. */
  readonly by: 'id' | 'name' | 'alias' | 'part' | 'near' | 'meaning'
  readonly mentions: number
  readonly similarity?: number
}

/** Throws NOT_FOUND, or AMBIGUOUS_ID with all matches. */
export async function findEntity(tx: Db, named: string, options: FindOptions): Promise<EntityRow> {
  const found = await entitiesNamed(tx, named, options)
  const [first, ...more] = found
  if (first === undefined) throw await nobody(tx, named, await findEntities(tx, named, options))
  if (more.length > 0) throw await several(tx, named, found)
  return first
}

export async function entityCalled(tx: Db, named: string, options: FindOptions): Promise<FoundEntity> {
  const found = await findEntities(tx, named, options)
  const [first, ...more] = found
  if (first === undefined || first.by === 'near') throw await nobody(tx, named, found)
  if (more.length > 0)
    throw await several(
      tx,
      named,
      found.map((one) => ({ ...one, id: one.entity_id })),
    )
  return first
}

/** Best first: exact matches; else the owner of that address on a card; else first or last names; else typos. */
export async function findEntities(tx: Db, named: string, options: FindOptions): Promise<FoundEntity[]> {
  const fitting = await entitiesNamed(tx, named, options)
  const exact = fitting.length > 0 ? fitting : await entitiesOfCards(tx, named, options)
  const rows =
    exact.length > 0
      ? exact.map((row) => ({ row, by: exactly(row, named.trim()) }))
      : await standing(tx, await entitiesNear(tx, foldedName(named), options))
  const mentions = await mentionsOf(
    tx,
    rows.map(({ row }) => row.id),
  )
  return rows
    .map(({ row, by: how }) => ({
      ...{ entity_id: row.id, type: row.type, name: oneLine(redactSensitiveText(row.name, { mode: 'tools' }), 200) },
      ...{ by: how, mentions: mentions.get(row.id) ?? 0 },
    }))
    .sort((a, b) => ORDER.indexOf(a.by) - ORDER.indexOf(b.by) || b.mentions - a.mentions || (a.entity_id < b.entity_id ? -1 : 1))
}

const ORDER: readonly FoundEntity['by'][] = ['id', 'name', 'alias', 'part', 'meaning', 'near']

function exactly({ id, name }: EntityRow, wanted: string): FoundEntity['by'] {
  if (wanted.length >= SHORTEST && id.startsWith(wanted)) return 'id'
  return foldedName(name) === foldedName(wanted) ? 'name' : 'alias'
}

async function standing(tx: Db, near: readonly NearEntity[]): Promise<{ row: EntityRow; by: FoundEntity['by'] }[]> {
  const once = new Map<string, { row: EntityRow; by: FoundEntity['by'] }>()
  for (const { row, by } of near) {
    const now = await standingFor(tx, row)
    if (!once.has(now.id)) once.set(now.id, { row: now, by })
  }
  return [...once.values()]
}

/** Contacts without an entity are found through their messages, so the error says how. */
async function nobody(tx: Db, named: string, near: readonly FoundEntity[]): Promise<MnemonicError> {
  const names = near.slice(0, 5).map(({ name }) => name)
  const said = oneLine(named, 80)
  const card = await cardOf(tx, named)
  if (card !== undefined) {
    const handles = card.handles.slice(0, 4).join(', ')
    return new MnemonicError(
      'NOT_FOUND',
      `${JSON.stringify(card.name)} is in your address book (${handles}), and nothing is known of them yet`,
      {
        details: { name: said, near: names, contact: card },
        hint: `What they wrote and were written: mnemonic search --with ${card.handles[0]}. Where they are named: mnemonic search '${JSON.stringify(card.name)}'`,
      },
    )
  }
  return new MnemonicError('NOT_FOUND', `no entity has the id, name or address ${JSON.stringify(said)}`, {
    details: { name: said, near: names },
    hint: `${names.length > 0 ? `Near to it: ${names.join(', ')}. ` : ''}mnemonic entities list shows all; --type and --agent narrow it.`,
  })
}

async function cardOf({ db }: Db, named: string): Promise<{ readonly name: string; readonly handles: readonly string[] } | undefined> {
  const wanted = named.trim().toLowerCase()
  if (wanted === '') return undefined
  const rows = await db
    .selectFrom('contacts')
    .select(['name', 'handle'])
    .where((eb) =>
      eb.or([
        eb('handle', '=', normalHandle(named)),
        eb(eb.fn<string>('lower', ['name']), '=', wanted),
        eb(eb.fn<string>('lower', ['name']), 'like', `${escapedLike(wanted)} %`),
        eb(eb.fn<string>('lower', ['name']), 'like', `% ${escapedLike(wanted)}`),
      ]),
    )
    .orderBy('name')
    .orderBy('handle')
    .limit(50)
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  const { name } = first
  return { name: oneLine(name, 80), handles: [...new Set(rows.filter((row) => row.name === name).map(({ handle }) => handle))] }
}

function escapedLike(text: string): string {
  return text.replace(/[%_]/g, ' ')
}

type Fit = Pick<EntityRow, 'id' | 'name' | 'type'>

async function several(tx: Db, named: string, found: readonly Fit[]): Promise<MnemonicError> {
  const clean = (name: string) => oneLine(redactSensitiveText(name, { mode: 'tools' }), 60)
  const fits = found.slice(0, 20).map(({ id, name, type }) => ({ id, name: clean(name), type }))
  const shortest = shortIds(found.map(({ id }) => id))
  const shown = fits.slice(0, 8)
  const rows = await tx.db
    .selectFrom('entities')
    .select(['id', 'key'])
    .where(
      'id',
      'in',
      shown.map(({ id }) => id),
    )
    .execute()
  const kinds = new Map(rows.map(({ id, key }) => [id, qualifierIn(key)]))
  const ids = shown.map(({ id, name, type }) => {
    const kind = kinds.get(id)
    return `${shortest(id)} (${name}, ${type}${kind === undefined ? '' : `, ${clean(kind)}`})`
  })
  return new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(oneLine(named, 80))} fits ${found.length} entities`, {
    details: { fits },
    hint: [`Give one of these ids: ${ids.join(', ')}.`, ...(await waysToOne(tx, found, shortest))].join(' '),
  })
}

/** Suggests only what works: a distinguishing type or agent, a review of a proposed pair, a merge of compatible entities. */
async function waysToOne({ db }: Db, found: readonly Fit[], short: (id: string) => string): Promise<string[]> {
  const ids = found.map(({ id }) => id)
  const rows = await db.selectFrom('entities').select(['id', 'type', 'agent_id']).where('id', 'in', ids).orderBy('id').execute()
  const values = (of: (row: (typeof rows)[number]) => string) => [...new Set(rows.map(of))].sort()
  const [types, agents] = [values(({ type }) => type), values(({ agent_id }) => agent_id)]
  const told = [
    ...(types.length === found.length ? [`Or the type: ${types.map((type) => `--type ${type}`).join(', ')}.`] : []),
    ...(agents.length === found.length ? [`Or the agent: ${agents.map((agent) => `--agent ${agent}`).join(', ')}.`] : []),
  ]
  const pairs = await db
    .selectFrom('merge_candidates')
    .select('status')
    .where('entity_a_id', 'in', ids)
    .where('entity_b_id', 'in', ids)
    .execute()
  if (pairs.some(({ status }) => status === 'proposed')) return [...told, 'Where they are the same: mnemonic entities review']
  const [one, other] = rows.filter((row) =>
    rows.some((same) => same.id !== row.id && same.type === row.type && same.agent_id === row.agent_id),
  )
  if (one === undefined || other === undefined || pairs.length > 0) return told
  return [...told, `Where they are the same: mnemonic entities merge ${short(other.id)} ${short(one.id)}`]
}

function shortIds(ids: readonly string[]): (id: string) => string {
  let length = 8
  while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++
  return (id) => id.slice(0, length)
}

export async function entitiesNamed(tx: Db, named: string, options: FindOptions): Promise<EntityRow[]> {
  const wanted = named.trim()
  if (wanted === '') return []
  const told = await byRelation(tx, wanted, options)
  const rows = told.length > 0 ? told : [...(await byId(tx, wanted, options)), ...(await byAlias(tx, wanted, options))]
  const meant = options.own ? rows : await Promise.all(rows.map((row) => standingFor(tx, row)))
  const exact = meant.filter(({ id }) => id === wanted)
  return exact.length > 0 ? exact.slice(0, 1) : [...new Map(meant.map((row) => [row.id, row])).values()]
}

async function byId({ db }: Db, wanted: string, { agentId, type }: FindOptions): Promise<EntityRow[]> {
  if (wanted.length < SHORTEST || !/^[0-9a-f-]+$/.test(wanted)) return []
  let query = db.selectFrom('entities').select(ENTITY_COLUMNS).where('id', '>=', wanted).where('id', '<', `${wanted}g`)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (type !== undefined) query = query.where('type', '=', type)
  return query.orderBy('id').limit(50).execute()
}

async function byAlias({ db }: Db, wanted: string, { agentId, type }: FindOptions): Promise<EntityRow[]> {
  const handle = normalHandle(wanted)
  const names = [
    ...new Set([foldedName(wanted), foldedPersonName(wanted), placeName(foldedName(wanted)), handle, handle.replace(/^@/, ''), wanted]),
  ].filter((name) => name !== '')
  let query = db
    .selectFrom('entity_aliases')
    .innerJoin('entities', 'entities.id', 'entity_aliases.entity_id')
    .select(['entities.id', 'entities.agent_id', 'entities.type', 'entities.name', 'entities.canonical_id', 'entities.key'])
    .distinct()
    .where('entity_aliases.alias_type', 'in', ALIAS_TYPES)
    .where('entity_aliases.normalized', 'in', names)
  if (agentId !== 'all') query = query.where('entities.agent_id', '=', agentId)
  if (type !== undefined) query = query.where('entities.type', '=', type)
  return query.orderBy('entities.id').limit(200).execute()
}

async function entitiesOfCards(tx: Db, named: string, options: FindOptions): Promise<EntityRow[]> {
  const rows = await tx.db
    .selectFrom('contacts as c')
    .innerJoin('contacts as other', (join) => join.onRef('other.unit', '=', 'c.unit').onRef('other.card', '=', 'c.card'))
    .select('other.handle')
    .distinct()
    .where('c.handle', '=', normalHandle(named))
    .orderBy('other.handle')
    .limit(50)
    .execute()
  const found = new Map<string, EntityRow>()
  for (const { handle } of rows) for (const row of await entitiesNamed(tx, handle, options)) found.set(row.id, row)
  return [...found.values()]
}

/** `my sister Sarah`, or `Sarah (sibling)` as lists print it. */
async function byRelation(tx: Db, wanted: string, options: FindOptions): Promise<EntityRow[]> {
  const [, word = '', name = ''] = /^(?:my )?([\p{L}-]+) (\p{L}.*)$/iu.exec(wanted) ?? []
  const [, listed = '', qualifier = ''] = /^(.+) \(([^()]+)\)$/.exec(wanted) ?? []
  const [called, kind] = listed === '' ? [name, relationKind(word)] : [listed, qualifier]
  if (called === '' || kind === undefined) return []
  return (await byAlias(tx, called, options)).filter(({ key }) => qualifierIn(key) === kind)
}

async function standingFor({ db }: Db, row: EntityRow): Promise<EntityRow> {
  if (row.canonical_id === null) return row
  return (await db.selectFrom('entities').select(ENTITY_COLUMNS).where('id', '=', row.canonical_id).executeTakeFirst()) ?? row
}

async function mentionsOf({ db }: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('episode_entity_mentions')
    .select((eb) => ['entity_id', eb.fn.sum<number>('mention_count').as('count')])
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute()
  return new Map(rows.map(({ entity_id, count }) => [entity_id, Number(count)]))
}
