/** Where copies of what the database holds were written, so that forgetting can reach them. Paths only; never what is in them. */
import { lstatSync } from 'node:fs'
import { META, readMeta, writeMeta } from './meta.ts'
import type { Store, WriteTx } from './store.ts'

/**
 * backups: whole databases, raw. exports: files and folders in open formats, redacted. forks: texts and sessions that somebody goes on in, so that
 * they are looked into and never written again. All are keys of `meta`.
 */
export type CopyKind = 'backups' | 'exports' | 'forks'

/** The keys of `meta` that hold paths. */
export const COPY_KINDS: readonly string[] = ['backups', 'exports', 'forks'] satisfies readonly CopyKind[]

/** Adds paths, also of files that are only about to be written; those noted before that are gone are dropped. */
export async function noteCopies(tx: WriteTx, kind: CopyKind, paths: readonly string[]): Promise<void> {
  const known = parsed(await readMeta(tx.db, META[kind])).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  await writeMeta(tx.db, META[kind], JSON.stringify([...new Set([...known, ...paths])].sort()))
}

/** Also those that do not exist any more. */
export async function listCopies(store: Pick<Store, 'read'>, kind: CopyKind): Promise<string[]> {
  return parsed(await readMeta(store.read, META[kind]))
}

/** Exports and forks: texts of ours that lie among files of others. */
export async function listWritten(store: Pick<Store, 'read'>): Promise<string[]> {
  return [...(await listCopies(store, 'exports')), ...(await listCopies(store, 'forks'))]
}

function parsed(value: string | undefined): string[] {
  return value === undefined ? [] : (JSON.parse(value) as string[])
}
