/** Takes out of a backup what was forgotten since it was made, by the tombstones of both databases and of the workspace. */
import { applyTombstones, removeOrphans } from '../forget/apply.ts'
import { honourTombstones as honourWorkspace } from '../forget/honour.ts'
import { requireFile } from '../store/store-file.ts'
import { listTombstones } from '../tombstones/write-tombstones.ts'
import type { Preparing } from './restore-prepare.ts'

/** Nobody else has the copy open. */
const guard = async () => undefined

/** Gives how many records went; of them nothing is left in the file. */
export async function honourTombstones({ staged, workspace, clock, quietMs }: Preparing): Promise<number> {
  await honourWorkspace(staged, workspace, clock())
  const { counts } = await applyTombstones({ store: staged, guard, clock, quietMs })
  const forgotten = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // Where no row is left of it, an older version may be: what a row said before stays in the file when the row changes.
  if ((await listTombstones(staged)).length === 0) return 0
  await removeOrphans(staged, guard)
  await staged.rebuildText()
  await requireFile(staged, 'restore').erase({ rewrite: true })
  return forgotten
}
