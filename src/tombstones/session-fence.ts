/** Hashes under which a tombstone of this session is stored. Lets a hook check them without loading the query builder. */
import { sessionId } from '../core/ids.ts'
import type { TaskNote } from '../store/task-rows.ts'
import { OTHER_KEYS, recordHash, TOMBSTONE_KEY } from './write-tombstones.ts'

export function sessionFence(harness: string, session: string): TaskNote['fence'] {
  const id = sessionId(harness, session)
  return (meta) => {
    const own = meta(TOMBSTONE_KEY)
    const keys = [...(own === undefined ? [] : [own]), ...(JSON.parse(meta(OTHER_KEYS) ?? '[]') as string[])]
    return keys.map((key) => recordHash(key, 'session', id))
  }
}
