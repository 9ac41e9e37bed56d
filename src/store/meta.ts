/** Single values of a database by name: cursors, marks, keys. The one place that knows the table `meta`. */
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function readMeta(db: Kysely<Tables>, key: string): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
}

export async function writeMeta(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute()
}

export async function removeMeta(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', key).execute()
}
