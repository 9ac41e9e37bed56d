/** Deletes or blanks single rows of tables that are no ledger's. */
import { MnemonicError } from '../core/error.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { TABLES } from './registry.ts'
import type { Sweep } from './selection.ts'

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
