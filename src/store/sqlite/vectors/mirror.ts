import type Database from 'better-sqlite3'
import type { VectorConfig } from '../../vectors.ts'
import { loadSignBits } from './load.ts'
import { type Pause, pauses } from './pause.ts'
import { SignBitsMemory } from './sign-bits-memory.ts'

export interface VectorMirror {
  of(config: VectorConfig): Promise<SignBitsMemory>
  size(): number
}

interface Held {
  readonly config: VectorConfig
  readonly memory: SignBitsMemory
  change: number
  version: number
}

const BATCH = 500
/** Above this, and if also a large share, reloading is faster than replaying. */
const FEW_CHANGES = 5000

export function vectorMirror(db: Database.Database): VectorMirror {
  const version = db.prepare('pragma data_version').pluck()
  const newest = db.prepare('select max(number) from chunk_sign_changes').pluck()
  let held: Held | undefined
  let work: Promise<unknown> = Promise.resolve()

  async function inStep(config: VectorConfig): Promise<SignBitsMemory> {
    const now = version.get() as number
    if (held?.config.id === config.id && held.version === now) return held.memory
    const pause = pauses()
    if (held?.config.id !== config.id || !(await follow(db, held, pause))) {
      held = undefined // free the old bits before loading new ones
      const memory = new SignBitsMemory(config.dimensions)
      const change = (newest.get() as number | null) ?? 0
      await loadSignBits(db, { memory, config, pause })
      const loaded = { config, memory, change, version: now }
      // Replays changes made during the load; the next call handles any overflow.
      await follow(db, loaded, pause)
      held = loaded
    }
    held.version = now
    return held.memory
  }

  return {
    of(config) {
      const turn = work.then(() => inStep(config))
      work = turn.catch(() => undefined) // the caller gets the error; the next call retries
      return turn
    },
    size: () => held?.memory.size() ?? 0,
  }
}

interface Changed {
  readonly id: number
  readonly bits: Buffer | null
  readonly number: number | null
  readonly agent_id: string | null
  readonly superseded: number | null
}

/** Returns false if the log is truncated or too long to replay. */
async function follow(db: Database.Database, held: Held, pause: Pause): Promise<boolean> {
  const { config, memory, change } = held
  const oldest = db.prepare('select min(number) from chunk_sign_changes').pluck().get() as number | null
  const last = db.prepare('select max(number) from chunk_sign_changes').pluck().get() as number | null
  if (oldest === null || last === null || last === change) return true
  if (oldest > change + 1) return false
  if (last - change > FEW_CHANGES && last - change > memory.count() / 4) return false
  const ids = db.prepare('select distinct chunk_id from chunk_sign_changes where number > ? and number <= ?').pluck().all(change, last)
  const changed =
    db.prepare(`select w.value as id, s.bits, c.vector_number as number, (select word from index_words where number = c.agent) as agent_id, c.superseded from json_each(@ids) w
    left join chunk_signs s on s.chunk_id = w.value and s.config_id = @config and length(s.bits) = @bytes
    left join index_chunks c on c.id = w.value`)
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = { ids: JSON.stringify(ids.slice(from, from + BATCH)), config: config.id, bytes: Math.ceil(config.dimensions / 8) }
    for (const { id, bits, number, agent_id, superseded } of changed.all(batch) as Changed[]) {
      if (bits === null || number === null || agent_id === null) memory.remove(id)
      else memory.put(id, { bits, number, agentId: agent_id, superseded: superseded === 1 })
    }
    await pause()
  }
  held.change = last
  return true
}
