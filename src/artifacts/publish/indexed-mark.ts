/** Whether the database has a row for every artifact of a workspace. Until it does, lists are made from the files themselves. */
import type { Store } from '../../store/store.ts'

const key = (agentId: string) => `artifacts_indexed:${agentId}`
const EVERYBODY = '*'

export async function isIndexed(store: Store, workspace: string, agentId: string): Promise<boolean> {
  const rows = await store.read
    .selectFrom('meta')
    .select('value')
    .where('key', 'in', [key(agentId), key(EVERYBODY)])
    .execute()
  return rows.some(({ value }) => value === workspace)
}

export async function setIndexed(store: Store, workspace: string, agentId: string = EVERYBODY): Promise<void> {
  await store.write((tx) =>
    tx.db
      .insertInto('meta')
      .values({ key: key(agentId), value: workspace })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: workspace }))
      .execute(),
  )
}
