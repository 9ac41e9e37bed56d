import type { Selectable } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { RelationshipsTable } from '../../store/tables.ts'
import { canonicalOf, mergedInto } from '../same-entity.ts'

export interface LoggedRow extends Selectable<RelationshipsTable> {
  readonly subject: string
  readonly object: string | null
}

const MOST_OF_OTHERS = 2000
const AT_ONCE = 200

/** Rows with these ids as subject or object. For other subjects adds their rows of the same type, which decide whether these still hold. */
export async function loggedAbout(store: Store, ids: readonly string[], agentId: string): Promise<LoggedRow[]> {
  const rows = new Map<string, Selectable<RelationshipsTable>>()
  const from = () => {
    const all = store.read.selectFrom('relationships').selectAll()
    return agentId === 'all' ? all : all.where('agent_id', '=', agentId)
  }
  for (const row of await from().where('subject_id', 'in', ids).execute()) rows.set(row.id, row)
  const others = await from().where('object_id', 'in', ids).orderBy('created_at', 'desc').orderBy('id').limit(MOST_OF_OTHERS).execute()
  for (const row of others) rows.set(row.id, row)
  const now = await canonicalOf(store, [...new Set(others.map(({ subject_id }) => subject_id))])
  const subjects = [...new Set(now.values())].filter((id) => !ids.includes(id))
  const types = [...new Set(others.map(({ type }) => type))]
  for (let at = 0; at < subjects.length; at += AT_ONCE) {
    const members: string[] = []
    for (const subject of subjects.slice(at, at + AT_ONCE)) members.push(...(await mergedInto(store, subject)))
    for (const row of await from().where('subject_id', 'in', members).where('type', 'in', types).execute()) rows.set(row.id, row)
  }
  return asTheyAreNow(store, [...rows.values()])
}

export async function asTheyAreNow(store: Store, rows: readonly Selectable<RelationshipsTable>[]): Promise<LoggedRow[]> {
  const now = await canonicalOf(
    store,
    rows.flatMap(({ subject_id, object_id }) => (object_id === null ? [subject_id] : [subject_id, object_id])),
  )
  return rows.map((row) => ({
    ...row,
    subject: now.get(row.subject_id) ?? row.subject_id,
    object: row.object_id === null ? null : (now.get(row.object_id) ?? row.object_id),
  }))
}
