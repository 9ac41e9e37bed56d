/** Removes tombstoned records; the only way to forget. Idempotent. */
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
  /** Runs first; throws if the lease is lost. */
  readonly guard: (tx: WriteTx) => Promise<void>
}

export interface Applied {
  readonly touched: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
  /** Conversations lost events: regroup and reindex. */
  readonly conversations: boolean
  readonly counts: Readonly<Record<string, number>>
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

export async function removeDerived(tx: WriteTx, session: string): Promise<void> {
  await tx.db.deleteFrom('files').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('chunks').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('index_state').where('session_id', '=', session).execute()
  await tx.db
    .deleteFrom('episodes')
    .where('thread_id', 'in', [session, `aix_session:${session}`])
    .execute()
}

/** Aliases, observations, candidates and vectors cascade. */
async function removeEntities(tx: WriteTx, tombstones: Tombstones): Promise<void> {
  const rows = await tx.db.selectFrom('entities').select(['id', 'name']).execute()
  for (const { id, name } of rows)
    if (isForgottenEntity({ id, name }, tombstones)) await tx.db.deleteFrom('entities').where('id', '=', id).execute()
}

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

/** Call after reindexing. */
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

/** No other process has the copy open. */
export const noLease = async () => undefined

/** Changed rows leave old versions in the file. */
export async function rewriteCopy(copy: Store): Promise<void> {
  await removeOrphans(copy, noLease)
  await copy.rebuildText()
  await requireFile(copy, 'forgetting').erase({ rewrite: true })
}

/** Only for tables outside the ledger. */
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
