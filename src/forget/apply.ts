/** Removes from a database what its tombstones tombstones, with all that was derived from it. Safe to repeat; the only road by which anything is forgotten. */

import type { Quiet } from '../ledgers/finish-session.ts'
import { findForgotten } from '../ledgers/removal/find-forgotten.ts'
import { removeForgotten } from '../ledgers/removal/remove-forgotten.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { requireFile } from '../store/store-file.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { clearOperations } from './forget-operations.ts'

export interface ApplyOptions extends Quiet {
  readonly store: Store
  /** Runs first in the transaction: a lost lease stops it. */
  readonly guard: (tx: WriteTx) => Promise<void>
}

export interface Applied {
  /** Sessions that stay and lost something. */
  readonly touched: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
  /** By kind of record. */
  readonly counts: Readonly<Record<string, number>>
  /** Rows of the machine's own notes, and of derived tables, by table. */
  readonly tables: Readonly<Record<string, number>>
}

const AT_ONCE = 400

export async function applyTombstones({ store, guard, ...quiet }: ApplyOptions): Promise<Applied> {
  const tombstones = await tombstonesOf({ db: store.read })
  if (tombstones === undefined) return { touched: new Set(), gone: new Set(), counts: {}, tables: {} }
  const rows = await findForgotten(store, tombstones)
  await requireFile(store, 'forgetting').overwriteDeleted(true)
  return store.write(async (tx) => {
    await guard(tx)
    const messages = await messageIds(tx, rows)
    const { touched, gone, counts } = await removeForgotten(tx, rows, quiet)
    for (const id of [...touched, ...gone]) await removeDerived(tx, id)
    await removeObservations(tx, messages)
    return { touched, gone, counts, tables: await clearOperations(tx, tombstones) }
  })
}

async function messageIds(tx: WriteTx, rows: { sessions: readonly string[]; messages: readonly string[] }): Promise<string[]> {
  const ids = [...rows.messages]
  for (const session of rows.sessions) {
    const found = await tx.db.selectFrom('agent_messages').select('id').where('session_id', '=', session).execute()
    ids.push(...found.map(({ id }) => id))
  }
  return ids
}

/** Documents, chunks and episodes with their analyses: what stays of the session gives new ones. */
export async function removeDerived(tx: WriteTx, session: string): Promise<void> {
  await tx.db.deleteFrom('files').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('chunks').where('session_id', '=', session).execute()
  await tx.db.deleteFrom('index_state').where('session_id', '=', session).execute()
  await tx.db
    .deleteFrom('episodes')
    .where('thread_id', 'in', [session, `aix_session:${session}`])
    .execute()
}

/** What was said of people and things by messages that are gone. */
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

/** Vectors and cached extractions of texts that no chunk has any more. To be called when what stays is indexed again. */
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
