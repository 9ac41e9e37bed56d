/**
 * Which entity a person means: an id or its beginning, a name, an address. What writes takes exactly that; what reads takes a first or last name
 * too, where one alone has it. Several that fit are listed, never guessed between.
 */
import { MnemonicError } from '../core/error.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { normalHandle } from '../ledgers/people/handle.ts'
import type { WriteTx } from '../store/store.ts'
import { foldedName, foldedPersonName } from './folded-name.ts'
import { entitiesNear, type NearEntity } from './near-entity.ts'
import { ENTITY_COLUMNS, type EntityRow } from './same-entity.ts'

type Db = Pick<WriteTx, 'db'>

/** As short as an id may be given. */
const SHORTEST = 6
const ALIAS_TYPES = ['name', 'email', 'phone', 'handle', 'username', 'repository', 'package', 'path'] as const

export interface FindOptions {
  /** `all` looks into every memory. */
  readonly agentId: string
  readonly type?: string | undefined
  /** Takes the one that was meant, although another stands for it now. By default the one that stands for it. */
  readonly own?: boolean
}

export interface FoundEntity {
  readonly entity_id: string
  readonly type: string
  readonly name: string
  /** By what it was found; `part` of a name, and `near`, a typing error away, where nothing has it exactly. */
  readonly by: 'id' | 'name' | 'alias' | 'part' | 'near' | 'meaning'
  readonly mentions: number
  /** Of what was found by meaning: the cosine. */
  readonly similarity?: number
}

/** The one that has exactly this id, name or address. Throws NOT_FOUND, or AMBIGUOUS_ID with all that fit. */
export async function findEntity(tx: Db, named: string, options: FindOptions): Promise<EntityRow> {
  const found = await entitiesNamed(tx, named, options)
  const [first, ...more] = found
  if (first === undefined) throw nobody(named, await findEntities(tx, named, options))
  if (more.length > 0) throw several(named, found)
  return first
}

/** The same, and the only one of that first or last name. */
export async function entityCalled(tx: Db, named: string, options: FindOptions): Promise<FoundEntity> {
  const found = await findEntities(tx, named, options)
  const [first, ...more] = found
  if (first === undefined || first.by === 'near') throw nobody(named, found)
  if (more.length > 0)
    throw several(
      named,
      found.map((one) => ({ ...one, id: one.entity_id })),
    )
  return first
}

/** Best first: all that fit exactly; else those of that first or last name; else what is a typing error away. */
export async function findEntities(tx: Db, named: string, options: FindOptions): Promise<FoundEntity[]> {
  const exact = await entitiesNamed(tx, named, options)
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

function nobody(named: string, near: readonly FoundEntity[]): MnemonicError {
  const names = near.slice(0, 5).map(({ name }) => name)
  return new MnemonicError('NOT_FOUND', `no entity has the id, name or address ${JSON.stringify(oneLine(named, 80))}`, {
    details: { name: oneLine(named, 80), near: names },
    hint: `${names.length > 0 ? `Near to it: ${names.join(', ')}. ` : ''}mnemonic entities list shows all; --type and --agent narrow it.`,
  })
}

function several(named: string, found: readonly { readonly id: string; readonly name: string; readonly type: string }[]): MnemonicError {
  const clean = (name: string) => oneLine(redactSensitiveText(name, { mode: 'tools' }), 60)
  const fits = found.slice(0, 20).map(({ id, name, type }) => ({ id, name: clean(name), type }))
  const ids = fits.slice(0, 8).map(({ id, name, type }) => `${id.slice(0, 8)} (${name}, ${type})`)
  return new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(oneLine(named, 80))} fits ${found.length} entities`, {
    details: { fits },
    hint: `Give one of these ids: ${ids.join(', ')}. Where they are the same: mnemonic entities review`,
  })
}

/** All that a name, an address or the beginning of an id fits exactly, each as the one that stands for it. */
export async function entitiesNamed(tx: Db, named: string, options: FindOptions): Promise<EntityRow[]> {
  const wanted = named.trim()
  if (wanted === '') return []
  const rows = [...(await byId(tx, wanted, options)), ...(await byAlias(tx, wanted, options))]
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
  const names = [...new Set([foldedName(wanted), foldedPersonName(wanted), handle, handle.replace(/^@/, ''), wanted])].filter(
    (name) => name !== '',
  )
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
