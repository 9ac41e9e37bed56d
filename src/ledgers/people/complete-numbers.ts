/** Adds the owner's country to contact numbers without one, including those read earlier. Needs no address book. */
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { ContactsTable } from '../../store/tables.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { cardId, namesChanged, putName } from './contacts-writer.ts'

export interface CompleteNumbersOptions {
  readonly phones: readonly string[]
  readonly guard: (tx: WriteTx) => Promise<void>
}

export async function completeNumbers(store: Store, { phones, guard }: CompleteNumbersOptions): Promise<void> {
  const now = JSON.stringify(phones)
  if (((await readMeta(store.read, META.contactPhones)) ?? '[]') === now) return
  const { countryOf, normalHandle } = await import('./handle.ts')
  const country = countryOf(phones)
  await store.write(async (tx) => {
    await guard(tx)
    const rows = await tx.db
      .selectFrom('contacts')
      .selectAll()
      .where('handle', 'not like', '%@%')
      .orderBy('unit')
      .orderBy('handle')
      .execute()
    const changed = rows
      .map((row) => ({ row, handle: normalHandle(row.handle, country) }))
      .filter(({ row, handle }) => handle !== row.handle)
    for (const { row, handle } of changed) await replaceHandle(tx, row, handle)
    await namesChanged(
      tx,
      changed.flatMap(({ row, handle }) => [row.handle, handle]),
    )
    await writeMeta(tx.db, META.contactPhones, now)
  })
}

async function replaceHandle(tx: WriteTx, { unit, name, card, handle: before }: ContactsTable, handle: string): Promise<void> {
  await tx.db.deleteFrom('contacts').where('unit', '=', unit).where('handle', '=', before).execute()
  const taken = await tx.db.selectFrom('contacts').select('name').where('unit', '=', unit).where('handle', '=', handle).executeTakeFirst()
  if (taken === undefined && !(await tombstonesOf(tx))?.holds('value', handle)) await putName(tx, { unit, name, card, handle })
  if (card === null) return
  const others = await tx.db.selectFrom('contacts').select('handle').where('unit', '=', unit).where('card', '=', card).execute()
  await tx.db
    .updateTable('contacts')
    .set({ card: cardId(others.map((other) => other.handle)) })
    .where('unit', '=', unit)
    .where('card', '=', card)
    .execute()
}
