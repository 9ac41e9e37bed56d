/** Finds an entity by what a person types: an id or its beginning, a name, an address. Several that fit are listed, never guessed. */
import type { Selectable } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import { normalHandle } from '../ledgers/people/handle.ts'
import type { WriteTx } from '../store/store.ts'
import type { EntitiesTable } from '../store/tables.ts'
import { foldedName, foldedPersonName } from './folded-name.ts'

export type EntityRow = Pick<Selectable<EntitiesTable>, 'id' | 'agent_id' | 'type' | 'name' | 'canonical_id' | 'key'>

const COLUMNS = ['id', 'agent_id', 'type', 'name', 'canonical_id', 'key'] as const

/** As short as an id may be given. */
const SHORTEST = 6

export interface FindOptions {
  /** `all` looks into every memory. */
  readonly agentId: string
  readonly type?: string | undefined
  /** Takes the one that was meant, although another stands for it now. By default the one that stands for it. */
  readonly own?: boolean
}

/** Throws NOT_FOUND, or AMBIGUOUS_ID with all that fit. */
export async function findEntity({ db }: Pick<WriteTx, 'db'>, named: string, options: FindOptions): Promise<EntityRow> {
  const found = await entitiesNamed({ db }, named, options)
  const [first, ...more] = found
  if (first === undefined) {
    throw new MnemonicError('NOT_FOUND', `no entity has the id, name or address ${JSON.stringify(named)}`, {
      hint: 'mnemonic entities list shows all; --type and --agent narrow it.',
    })
  }
  if (more.length > 0) {
    throw new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(named)} fits ${found.length} entities`, {
      details: { fits: found.slice(0, 20).map(({ id, name, type }) => ({ id, name, type })) },
      hint: `Give one of these ids: ${found
        .slice(0, 8)
        .map(({ id, name }) => `${id.slice(0, 8)} (${name})`)
        .join(', ')}`,
    })
  }
  return first
}

/** All that a name, an address or the beginning of an id fits, each as the one that stands for it. */
export async function entitiesNamed({ db }: Pick<WriteTx, 'db'>, named: string, options: FindOptions): Promise<EntityRow[]> {
  const wanted = named.trim()
  if (wanted === '') return []
  const rows = [...(await byId({ db }, wanted, options)), ...(await byAlias({ db }, wanted, options))]
  const meant = options.own ? rows : await Promise.all(rows.map((row) => canonicalOf({ db }, row)))
  const exact = meant.filter(({ id }) => id === wanted)
  return exact.length > 0 ? exact.slice(0, 1) : [...new Map(meant.map((row) => [row.id, row])).values()]
}

async function byId({ db }: Pick<WriteTx, 'db'>, wanted: string, { agentId, type }: FindOptions): Promise<EntityRow[]> {
  if (wanted.length < SHORTEST || !/^[0-9a-f-]+$/.test(wanted)) return []
  let query = db.selectFrom('entities').select(COLUMNS).where('id', '>=', wanted).where('id', '<', `${wanted}g`)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (type !== undefined) query = query.where('type', '=', type)
  return query.orderBy('id').limit(50).execute()
}

async function byAlias({ db }: Pick<WriteTx, 'db'>, wanted: string, { agentId, type }: FindOptions): Promise<EntityRow[]> {
  const handle = normalHandle(wanted)
  const names = [...new Set([foldedName(wanted), foldedPersonName(wanted), handle, handle.replace(/^@/, ''), wanted])].filter(
    (name) => name !== '',
  )
  let query = db
    .selectFrom('entity_aliases')
    .innerJoin('entities', 'entities.id', 'entity_aliases.entity_id')
    .select(['entities.id', 'entities.agent_id', 'entities.type', 'entities.name', 'entities.canonical_id', 'entities.key'])
    .distinct()
    .where('entity_aliases.alias_type', 'in', ['name', 'email', 'phone', 'handle', 'username', 'repository', 'package', 'path'])
    .where('entity_aliases.normalized', 'in', names)
  if (agentId !== 'all') query = query.where('entities.agent_id', '=', agentId)
  if (type !== undefined) query = query.where('entities.type', '=', type)
  return query.orderBy('entities.id').limit(200).execute()
}

/** The one that stands for it. */
export async function canonicalOf({ db }: Pick<WriteTx, 'db'>, row: EntityRow): Promise<EntityRow> {
  if (row.canonical_id === null) return row
  return (await db.selectFrom('entities').select(COLUMNS).where('id', '=', row.canonical_id).executeTakeFirst()) ?? row
}

/** It, and all that it stands for. */
export async function groupOf({ db }: Pick<WriteTx, 'db'>, canonical: string): Promise<EntityRow[]> {
  return db
    .selectFrom('entities')
    .select(COLUMNS)
    .where((eb) => eb.or([eb('id', '=', canonical), eb('canonical_id', '=', canonical)]))
    .orderBy('id')
    .execute()
}
