/** Switches models: new vectors collect in a shadow table, then replace the old in one transaction. */
import type Database from 'better-sqlite3'
import type { Clock } from '../../../core/clock.ts'
import type { EmbeddingIdentity, Swap, VectorConfig } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { ACTIVE, configReader, SHADOW, sameIdentity, vectorConfig, writeConfig } from './config.ts'
import { shadowCounts } from './coverage.ts'
import { pauses } from './pause.ts'
import { followSwap } from './token-bits.ts'

/** The new model may fail on one chunk per this many. */
const DONE_A_FAILURE = 99
const PAGE = 500

export function useConfig(
  db: Database.Database,
  identity: EmbeddingIdentity & { readonly name?: string },
  clock: Clock,
): VectorConfig & { readonly shadow: boolean } {
  const config = vectorConfig(identity)
  addRow(db, config, { name: identity.name ?? identity.model, now: clock() })
  const read = configReader(db)
  const active = read(ACTIVE)
  const answers = db.prepare('select 1 from index_chunks where vector_number is not null limit 1').get() !== undefined
  if (active === undefined || sameIdentity(active, config) || !answers) {
    if (read(SHADOW) !== undefined) dropShadow(db)
    if (!active || !sameIdentity(active, config)) startAfresh(db, config)
    return { ...config, shadow: false }
  }
  const begun = read(SHADOW)
  if (begun === undefined || !sameIdentity(begun, config)) {
    dropShadow(db)
    db.exec('insert into chunk_shadow (chunk_id) select id from index_chunks')
    writeConfig(db, SHADOW, config)
  }
  return { ...config, shadow: true }
}

/** No active model: chunks that failed under another model get a new try. */
function startAfresh(db: Database.Database, config: VectorConfig): void {
  writeConfig(db, ACTIVE, config)
  db.exec("update index_chunks set embed_status = 'waiting' where embed_status = 'failed' and embed_status <> 'done'")
}

function dropShadow(db: Database.Database): void {
  db.exec('delete from chunk_shadow')
  db.prepare('delete from meta where key = ?').run(SHADOW)
}

function addRow(db: Database.Database, { id, model, dimensions }: VectorConfig, { name, now }: { name: string; now: number }): void {
  const taken = db.prepare('select 1 from embedding_configs where name = ? and id <> ?').get(name, id) !== undefined
  db.prepare(
    'insert into embedding_configs (id, name, model, dimensions, created_at) values (?, ?, ?, ?, ?) on conflict (id) do nothing',
  ).run(id, taken ? `${name} (${id})` : name, model, dimensions, now)
  db.prepare('insert or ignore into index_words (word) values (?)').run(id)
}

export async function swapVectors(db: Database.Database, prepare: Prepare, triedAgain: boolean): Promise<Swap> {
  const next = configReader(db)(SHADOW)
  if (next === undefined) return { swapped: false, embedded: 0, waiting: 0, failed: 0 }
  const counts = shadowCounts(prepare)
  const tooMany = triedAgain ? counts.failed >= counts.embedded : counts.failed * DONE_A_FAILURE > counts.embedded
  if (counts.waiting > 0 || (counts.failed > 0 && tooMany)) return { swapped: false, ...counts }
  const end = prepare(
    `select max(chunk_id) from (select chunk_id from chunk_shadow where chunk_id > ? order by chunk_id limit ${PAGE})`,
  ).pluck()
  const pause = pauses()
  for (let after = -1; ; ) {
    const upTo = end.get(after) as number | null
    if (upTo === null) break
    const page = { after, upTo }
    prepare(`update index_chunks set vector_number = s.vector_number, embed_status = s.status
      from chunk_shadow s where s.chunk_id = index_chunks.id and index_chunks.id > @after and index_chunks.id <= @upTo`).run(page)
    prepare(`delete from chunk_signs where chunk_id in
      (select chunk_id from chunk_shadow where chunk_id > @after and chunk_id <= @upTo and status = 'failed')`).run(page)
    prepare(`insert into chunk_signs (chunk_id, config_id, bits)
      select chunk_id, @config, bits from chunk_shadow where chunk_id > @after and chunk_id <= @upTo and status = 'done'
      on conflict (chunk_id) do update set config_id = excluded.config_id, bits = excluded.bits`).run({ ...page, config: next.id })
    after = upTo
    await pause()
  }
  dropShadow(db)
  writeConfig(db, ACTIVE, next)
  await followSwap(prepare, next)
  return { swapped: true, ...counts }
}
