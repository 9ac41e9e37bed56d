import type Database from 'better-sqlite3'
import type { Clock } from '../../../core/clock.ts'
import { MnemonicError } from '../../../core/error.ts'
import type { NewVector, VectorConfig, VectorRows } from '../../vectors.ts'
import { hashKey, hashText, keyOf } from '../rows/hash-key.ts'
import { type Prepare, preparedOnce } from '../statements.ts'
import { blobVector, unitVector, vectorBlob } from './blob.ts'
import { ACTIVE, configReader, SHADOW } from './config.ts'
import { pauses } from './pause.ts'
import { swapVectors, useConfig } from './shadow.ts'
import { signBits } from './sign-bits.ts'
import { letWait, tokenBitRows } from './token-bits.ts'
import { waitingChunks } from './waiting.ts'

const PAGE = 1000

export function vectorRows(db: Database.Database, clock: Clock): VectorRows {
  const prepare = preparedOnce(db)
  const config = configReader(db)
  /** The model this process embeds with; another process may have switched since. */
  let mine: string | undefined

  function target(): { config: VectorConfig; shadow: boolean } {
    const shadow = config(SHADOW)
    const found = shadow ?? config(ACTIVE)
    if (found === undefined || (mine !== undefined && found.id !== mine)) throw notInUse(found, mine)
    return { config: found, shadow: shadow !== undefined }
  }

  return {
    async useConfig(identity) {
      const used = useConfig(db, identity, clock)
      mine = used.id
      return used
    },

    using: async () => target().config,

    async ofEntities(ids) {
      const of = config(SHADOW) ?? config(ACTIVE)
      if (of === undefined) return new Map()
      const rows =
        prepare(`select o.owner_id, v.vector from json_each(?) w join vector_owners o on o.owner_type = 'entity' and o.owner_id = w.value
        join vectors v on v.number = o.number and v.config = (select number from index_words where word = ?)`)
      const found = rows.raw().all(JSON.stringify(ids), of.id) as [string, Buffer][]
      return new Map(found.map(([id, vector]) => [id, blobVector(vector)]))
    },

    async known(contentHashes) {
      const { id } = target().config
      const rows = prepare(`select w.value, v.number from json_each(?) w cross join vectors v
        on v.config = (select number from index_words where word = ?) and substr(v.hash, 1, 8) = substr(${keyOf('w.value')}, 1, 8)
          and v.hash = ${keyOf('w.value')}`)
      return new Map(rows.raw().all(JSON.stringify(contentHashes), id) as [string, number][])
    },

    async add({ contentHash, vector }: NewVector) {
      const { config: of } = target()
      const blob = vectorBlob(unitVector(vector, of))
      const hash = hashKey(contentHash)
      const known = prepare(`select number from vectors where config = (select number from index_words where word = ?)
        and substr(hash, 1, 8) = substr(?, 1, 8) and hash = ?`)
      const number = known.pluck().get(of.id, hash, hash) as number | undefined
      if (number !== undefined) return number
      const added = prepare('insert into vectors (config, hash, vector) values ((select number from index_words where word = ?), ?, ?)')
      return Number(added.run(of.id, hash, blob).lastInsertRowid)
    },

    async assign(chunkId, number, stamp) {
      const { config: of, shadow } = target()
      const blob = prepare('select vector from vectors where number = ? and config = (select number from index_words where word = ?)')
        .pluck()
        .get(number, of.id)
      if (blob === undefined) throw noVector(number, of)
      const found = prepare('select content_hash from index_chunks where id = ?').pluck().get(chunkId) as string | Buffer | undefined
      if (found === undefined || (stamp !== undefined && stamp !== hashText(found))) return false
      const bits = signBits(blobVector(blob as Buffer))
      letWait(prepare, chunkId, number)
      if (shadow) {
        prepare(`insert into chunk_shadow (chunk_id, status, vector_number, bits) values (?, 'done', ?, ?) on conflict (chunk_id)
          do update set status = 'done', vector_number = excluded.vector_number, bits = excluded.bits`).run(chunkId, number, bits)
        return true
      }
      prepare("update index_chunks set vector_number = ?, embed_status = 'done' where id = ?").run(number, chunkId)
      prepare(`insert into chunk_signs (chunk_id, config_id, bits) values (?, ?, ?) on conflict (chunk_id)
        do update set config_id = excluded.config_id, bits = excluded.bits`).run(chunkId, of.id, bits)
      return true
    },

    async fail(chunkId) {
      if (target().shadow) {
        prepare(`insert into chunk_shadow (chunk_id, status) select id, 'failed' from index_chunks where id = ? on conflict (chunk_id)
          do update set status = 'failed', vector_number = null, bits = null`).run(chunkId)
      } else {
        prepare("update index_chunks set embed_status = 'failed', vector_number = null where id = ?").run(chunkId)
        prepare('delete from chunk_signs where chunk_id = ?').run(chunkId)
      }
    },

    async retry({ session } = {}) {
      const [table, status, id] = target().shadow ? ['chunk_shadow', 'status', 'chunk_id'] : ['index_chunks', 'embed_status', 'id']
      const only =
        session === undefined
          ? ''
          : `and ${id} in (select id from index_chunks where session = (select number from index_sessions where id = ?))`
      const failed = `update ${table} set ${status} = 'waiting' where ${status} = 'failed' and ${status} <> 'done' ${only} returning ${id} as id`
      return (prepare(failed).all(...(session === undefined ? [] : [session])) as { id: number }[]).map((row) => row.id)
    },

    waiting: async (limit, options) => waitingChunks(prepare, { ...options, limit, shadow: target().shadow }),
    tokenBits: tokenBitRows(prepare, () => target().config),
    swap: async ({ triedAgain = false } = {}) => swapVectors(db, prepare, triedAgain),
    clean: async () => cleanVectors(prepare),
  }
}

/** Deleted chunks leave their vectors for identical text. This removes the unused ones. */
async function cleanVectors(prepare: Prepare): Promise<number> {
  const pause = pauses()
  const unused = prepare(`select v.number from vectors v where not exists (select 1 from vector_owners o where o.number = v.number)
    and not exists (select 1 from index_chunks c where c.vector_number = v.number)
    and not exists (select 1 from chunk_shadow s where s.vector_number = v.number)`)
  const numbers = unused.pluck().all() as number[]
  for (let from = 0; from < numbers.length; from += PAGE) {
    prepare('delete from vectors where number in (select value from json_each(?))').run(JSON.stringify(numbers.slice(from, from + PAGE)))
    await pause()
  }
  return numbers.length
}

function noVector(number: number, { id, model }: VectorConfig): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `${model} has no vector of number ${number}`, { details: { number, config: id } })
}

function notInUse(found: VectorConfig | undefined, mine: string | undefined): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', found ? `another process embeds by ${found.model} now` : 'no model was named to embed by', {
    details: { config: found?.id ?? null, expected: mine ?? null },
    hint: 'Run mnemonic embed again.',
  })
}
