/** Where copies of what the database holds were written, so that forgetting can reach them. Paths only; never what is in them. */
import { lstatSync } from 'node:fs'
import type { Store, WriteTx } from './store.ts'

/** backups: whole databases, raw. exports: files and folders in open formats, redacted. Both are keys of `meta` with a JSON array of absolute paths. */
export type CopyKind = 'backups' | 'exports'

/** Adds paths, also of files that are only about to be written; those noted before that are gone are dropped. */
export async function noteCopies(tx: WriteTx, kind: CopyKind, paths: readonly string[]): Promise<void> {
  const row = await tx.db.selectFrom('meta').select('value').where('key', '=', kind).executeTakeFirst()
  const known = parsed(row?.value).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  const value = JSON.stringify([...new Set([...known, ...paths])].sort())
  await tx.db
    .insertInto('meta')
    .values({ key: kind, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Also those that do not exist any more. */
export async function listCopies(store: Pick<Store, 'read'>, kind: CopyKind): Promise<string[]> {
  const row = await store.read.selectFrom('meta').select('value').where('key', '=', kind).executeTakeFirst()
  return parsed(row?.value)
}

function parsed(value: string | undefined): string[] {
  return value === undefined ? [] : (JSON.parse(value) as string[])
}
