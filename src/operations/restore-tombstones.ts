/** Takes out of a backup what was forgotten since it was made, by the tombstones of both databases and of the workspace. */
import { honourTombstones as honourWorkspace } from '../forget/honour.ts'
import { fenceOf } from '../ledgers/fence.ts'
import { findFenced } from '../ledgers/find-fenced.ts'
import { removeFenced } from '../ledgers/remove-fenced.ts'
import type { Preparing } from './restore-prepare.ts'

/** Gives how many records went. */
export async function honourTombstones({ staged, workspace, clock, quietMs }: Preparing): Promise<number> {
  await honourWorkspace(staged, workspace, clock())
  const fence = await staged.write(fenceOf)
  if (fence === undefined) return 0
  const rows = await findFenced(staged, fence)
  const { counts } = await staged.write((tx) => removeFenced(tx, rows, { clock, quietMs }))
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
