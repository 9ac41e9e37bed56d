import type Database from 'better-sqlite3'
import type { VectorConfig } from '../../vectors.ts'
import type { Pause } from './pause.ts'
import { signBytes } from './sign-bits.ts'
import type { SignBitsMemory } from './sign-bits-memory.ts'

/** Rows are concatenated per page: passing a million single blobs takes three times as long. */
const PAGE = 2000

export interface Load {
  readonly memory: SignBitsMemory
  readonly config: VectorConfig
  readonly pause: Pause
}

export async function loadSignBits(db: Database.Database, load: Load): Promise<void> {
  const [common = 'main', ...others] = db
    .prepare(
      'select w.word from (select agent, count(*) as n from index_chunks group by agent) join index_words w on w.number = agent order by n desc',
    )
    .pluck()
    .all() as string[]
  await loadBits(db, load, common)
  await loadNumbers(db, load)
  for (const agentId of others) await loadAgent(db, load, agentId)
  const superseded = db.prepare('select id from index_chunks where superseded = 1').pluck().iterate() as Iterable<number>
  for (const id of superseded) load.memory.setSuperseded(id)
}

async function loadBits(db: Database.Database, { memory, config, pause }: Load, agentId: string): Promise<void> {
  const bytes = signBytes(config.dimensions)
  const page = db.prepare(`select group_concat(chunk_id) as ids, group_concat(hex(bits), '') as bits, max(chunk_id) as last
    from (select chunk_id, bits from chunk_signs where chunk_id > @after and config_id = @config and length(bits) = @bytes
      order by chunk_id limit ${PAGE})`)
  for (let after = -1; ; ) {
    const row = page.get({ after, config: config.id, bytes }) as { ids: string; bits: string; last: number | null }
    if (row.last === null) return
    memory.putBits(numbersIn(row.ids), Buffer.from(row.bits, 'hex'), agentId)
    after = row.last
    await pause()
  }
}

/** Index order; chunks with the same text share a number. */
async function loadNumbers(db: Database.Database, { memory, pause }: Load): Promise<void> {
  const end = db
    .prepare(
      `select max(vector_number) from (select vector_number from index_chunks where vector_number > ? order by vector_number limit ${PAGE})`,
    )
    .pluck()
  const page = db.prepare(`select group_concat(id) as ids, group_concat(vector_number) as numbers
    from index_chunks where vector_number > ? and vector_number <= ?`)
  for (let after = 0; ; ) {
    const upTo = end.get(after) as number | null
    if (upTo === null) return
    const row = page.get(after, upTo) as { ids: string; numbers: string }
    const numbers = numbersIn(row.numbers)
    for (const [i, id] of numbersIn(row.ids).entries()) memory.setNumber(id, numbers[i] as number)
    after = upTo
    await pause()
  }
}

async function loadAgent(db: Database.Database, { memory, pause }: Load, agentId: string): Promise<void> {
  const page = db
    .prepare(
      `select timestamp, id from index_chunks where agent = (select number from index_words where word = ?) and (timestamp, id) > (?, ?) order by timestamp, id limit ${PAGE}`,
    )
    .raw()
  for (let last: readonly number[] = [Number.MIN_SAFE_INTEGER, -1]; ; ) {
    const rows = page.all(agentId, ...last) as [number, number][]
    if (rows.length === 0) return
    for (const [, id] of rows) memory.setAgent(id, agentId)
    last = rows.at(-1) as [number, number]
    await pause()
  }
}

function numbersIn(list: string): number[] {
  return JSON.parse(`[${list}]`) as number[]
}
