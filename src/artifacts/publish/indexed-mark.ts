/** Until every artifact has a row, lists are built from files. */
import { AGENT_META, type MetaKey, readMetas, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'

const key = (agentId: string): MetaKey => `${AGENT_META.artifactsIndexed}:${agentId}`
const EVERYBODY = '*'

export async function isIndexed(store: Store, workspace: string, agentId: string): Promise<boolean> {
  const marks = await readMetas(store.read, [key(agentId), key(EVERYBODY)])
  return [...marks.values()].includes(workspace)
}

export async function setIndexed(store: Store, workspace: string, agentId: string = EVERYBODY): Promise<void> {
  await store.write((tx) => writeMeta(tx.db, key(agentId), workspace))
}
