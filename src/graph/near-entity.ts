import { typingErrors } from '../core/edit-distance.ts'
import type { WriteTx } from '../store/store.ts'
import { foldedName } from './folded-name.ts'
import { ENTITY_COLUMNS, type EntityRow } from './same-entity.ts'

export interface NearEntity {
  readonly row: EntityRow
  readonly by: 'part' | 'near'
}

/** Compares only the newest; older ones need an exact name or address. */
const MOST_NAMES = 100_000
const MOST_FOUND = 20
/** Shorter names are close to everything. */
const LEAST_NEAR = 4

export async function entitiesNear(
  { db }: Pick<WriteTx, 'db'>,
  wanted: string,
  { agentId, type }: { readonly agentId: string; readonly type?: string | undefined },
): Promise<NearEntity[]> {
  if (wanted === '') return []
  let query = db.selectFrom('entities').select(ENTITY_COLUMNS)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (type !== undefined) query = query.where('type', '=', type)
  const rows = await query.orderBy('updated_at', 'desc').orderBy('id').limit(MOST_NAMES).execute()
  const all = rows.map((row) => ({ row, name: foldedName(row.name) }))
  const take = (by: NearEntity['by'], fits: (name: string) => boolean) =>
    all.flatMap(({ row, name }) => (fits(name) ? [{ row, by }] : [])).slice(0, MOST_FOUND)
  const part = take('part', (name) => name.startsWith(`${wanted} `) || name.endsWith(` ${wanted}`))
  if (part.length > 0 || wanted.length < LEAST_NEAR) return part
  const most = wanted.length > 7 ? 2 : 1
  return take('near', (name) => typingErrors(name, wanted, most) <= most)
}
