/** Removes from a database what its tombstones stand for, with everything derived from it. Can be repeated. Nothing is forgotten in any other way. */
import { MnemonicError } from '../../core/error.ts'
import { isForgottenEntity } from '../../graph/forgotten-entity.ts'
import type { Quiet } from '../../ledgers/finish-session.ts'
import { type ForgottenRows, findForgotten } from '../../ledgers/removal/find-forgotten.ts'
import { removeForgotten } from '../../ledgers/removal/remove-forgotten.ts'
import { unnameOwnerEvents } from '../../ledgers/removal/unname-owner-events.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { requireFile } from '../../store/store-file.ts'
import type { Tables } from '../../store/tables.ts'
import { type Tombstones, tombstonesOf } from '../../tombstones/tombstones.ts'
import { TABLES } from '../registry.ts'
import type { Sweep } from '../select/selection.ts'
import { clearOperations } from './clear-operations.ts'

export interface ApplyOptions extends Quiet {
  readonly store: Store
  /** Runs first in the transaction: it throws where the lease is lost. */
  readonly guard: (tx: WriteTx) => Promise<void>
}

export interface Applied {
  /** Sessions that stay, without something that they held. */
  readonly touched: ReadonlySet<string>
  /** Sessions that were removed. */
  readonly gone: ReadonlySet<string>
  /** Whether conversations lost something: what remains of them is grouped and indexed again. */
  readonly conversations: boolean
  /** By kind of record. */
  readonly counts: Readonly<Record<string, number>>
  /** Rows of operational and derived tables, by table. */
  readonly tables: Readonly<Record<string, number>>
}

const AT_ONCE = 400

export async function applyTombstones({ store, guard, ...quiet }: ApplyOptions): Promise<Applied> {
  const tombstones = await tombstonesOf({ db: store.read })
  if (tombstones === undefined) return { touched: new Set(), gone: new Set(), conversations: false, counts: {}, tables: {} }
  const rows = await findForgotten(store, tombstones)
  await requireFile(store, 'forgetting').overwriteDeleted(true)
  return store.write(async (tx) => {
    await guard(tx)
    const messages = await messageIds(tx, rows)
    const { touched, gone, counts } = await removeForgotten(tx, rows, quiet)
    for (const id of [...touched, ...gone]) await removeDerived(tx, id)
    await removeObservations(tx, messages)
    await removeEntities(tx, tombstones)
    await unnameOwnerEvents(tx)
    return { touched, gone, conversations: changesConversations(rows), counts, tables: await clearOperations(tx, tombstones) }
  })
}

function changesConversations(rows: ForgottenRows): boolean {
  const { events, eventFields, threadFields, threads, people, contacts, series } = rows
  return [events, eventFields, threadFields, threads, people, contacts, series].some(({ length }) => length > 0)
}

async function messageIds(tx: WriteTx, rows: { sessions: readonly string[]; messages: readonly string[] }): Promise<string[]> {
  const ids = [...rows.messages]
  for (const session of rows.sessions) {
    const found = await tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', session).execute()
    ids.push(...found.map(({ id }) => id))
  }
  return ids
}

/** Documents, chunks and episodes with their analyses: they are made again from what remains of the session. */
export async function removeDerived(tx: WriteTx, session: string): Promise<void> {
  await tx.db.deleteFrom('files').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('chunks').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('index_state').where('session_id', '=', session).execute()
  await tx.db
    .deleteFrom('episodes')
    .where('thread_id', 'in', [session, `aix_session:${session}`])
    .execute()
}

/** With their aliases, observations, candidates and vectors. */
async function removeEntities(tx: WriteTx, tombstones: Tombstones): Promise<void> {
  const rows = await tx.db.selectFrom('entities').select(['id', 'name']).execute()
  for (const { id, name } of rows)
    if (isForgottenEntity({ id, name }, tombstones)) await tx.db.deleteFrom('entities').where('id', '=', id).execute()
}

/** What removed messages said about people and things. */
async function removeObservations(tx: WriteTx, messages: readonly string[]): Promise<void> {
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    const ids = messages.slice(at, at + AT_ONCE)
    await tx.db.deleteFrom('relationships').where('message_id', 'in', ids).execute()
    await tx.db.deleteFrom('entity_aliases').where('message_id', 'in', ids).execute()
    await tx.db.deleteFrom('episode_entity_mentions').where('message_id', 'in', ids).execute()
    await tx.db.deleteFrom('episode_relationship_mentions').where('message_id', 'in', ids).execute()
    await tx.db
      .deleteFrom('entities')
      .where('message_id', 'in', ids)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('relationships as r').select('r.id').whereRef('r.subject_id', '=', 'entities.id'))),
      )
      .execute()
  }
}

/** Vectors and cached extractions of texts that no chunk has any more. To be called after what remains was indexed again. */
export async function removeOrphans(store: Store, guard: (tx: WriteTx) => Promise<void>): Promise<Record<string, number>> {
  return store.write(async (tx) => {
    await guard(tx)
    const embeddings = await tx.vectors.clean()
    const { numDeletedRows } = await tx.db
      .deleteFrom('extraction_cache')
      .where('content_hash', 'not in', tx.db.selectFrom('chunks').select('content_hash'))
      .executeTakeFirst()
    return { embeddings, extraction_cache: Number(numDeletedRows) }
  })
}

/** For a copy of the database that nobody else has open: no lease is needed. */
export const noLease = async () => undefined

/** Rewrites the file of a copy after its rows were removed: a changed row leaves its older version in the file. */
export async function rewriteCopy(copy: Store): Promise<void> {
  await removeOrphans(copy, noLease)
  await copy.rebuildText()
  await requireFile(copy, 'forgetting').erase({ rewrite: true })
}

/** Deletes or blanks single rows of tables that are not ledger tables. */
export async function sweep(tx: WriteTx, sweeps: readonly Sweep[]): Promise<void> {
  for (const { table, where, set } of sweeps) {
    const kind = TABLES[table]?.kind
    if (kind !== 'derived' && kind !== 'operations') throw new MnemonicError('INTERNAL', `rows of ${table} are not swept`)
    const name = table as 'jobs' & keyof Tables
    const conditions = Object.entries(where) as ['id', number][]
    if (set === undefined) {
      let rows = tx.db.deleteFrom(name)
      for (const [column, value] of conditions) rows = rows.where(column, '=', value)
      await rows.execute()
    } else {
      let rows = tx.db.updateTable(name).set(set)
      for (const [column, value] of conditions) rows = rows.where(column, '=', value)
      await rows.execute()
    }
  }
}
