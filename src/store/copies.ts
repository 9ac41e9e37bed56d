/** Records where copies of the data were written, so that forget can reach them. */
import { lstatSync } from 'node:fs'
import { META, readMeta, writeMeta } from './meta.ts'
import type { Store, WriteTx } from './store.ts'

/**
 * backups: whole raw databases. exports: redacted files. forks: sessions that a user continues, so forget searches them and never rewrites
 * them. All are keys of `meta`.
 */
export type CopyKind = 'backups' | 'exports' | 'forks'

export const COPY_KINDS: readonly string[] = ['backups', 'exports', 'forks'] satisfies readonly CopyKind[]

/** Call before writing the files: a crash in between must not hide a copy. */
export async function noteCopies(tx: WriteTx, kind: CopyKind, paths: readonly string[]): Promise<void> {
  const known = parsed(await readMeta(tx.db, META[kind])).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  await writeMeta(tx.db, META[kind], JSON.stringify([...new Set([...known, ...paths])].sort()))
}

export async function listCopies(store: Pick<Store, 'read'>, kind: CopyKind): Promise<string[]> {
  return parsed(await readMeta(store.read, META[kind]))
}

export async function listWritten(store: Pick<Store, 'read'>): Promise<string[]> {
  return [...(await listCopies(store, 'exports')), ...(await listCopies(store, 'forks'))]
}

function parsed(value: string | undefined): string[] {
  return value === undefined ? [] : (JSON.parse(value) as string[])
}
