import { MnemonicError } from '../../../core/error.ts'
import { META } from '../../meta.ts'
import type { TokenBitRows, TokenBits, TokenBitsState, WaitingForBits } from '../../token-bits.ts'
import type { VectorConfig } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { pauses } from './pause.ts'

const PAGE = 500
const WAITS = 'b.size is null'
const DONE = 'b.size is not null'
/** Unused vectors are kept for returning texts; their bits are far larger and are recomputed. */
const UNUSED = `not exists (select 1 from index_chunks c where c.vector_number = b.number)
  and not exists (select 1 from chunk_shadow s where s.vector_number = b.number)`

export function tokenBits(prepare: Prepare): TokenBits {
  return {
    any: async () => prepare(`select 1 from token_bits b where ${DONE} limit 1`).get() !== undefined,
    async of(chunkIds, dimensions) {
      const rows = prepare(`select c.id, b.bits from json_each(?) w cross join index_chunks c on c.id = w.value
        cross join token_bits b on b.number = c.vector_number where ${DONE} and length(b.bits) = b.size and b.size % ? = 0`)
      return new Map(rows.raw().all(JSON.stringify(chunkIds), bytesOf(dimensions)) as [number, Uint8Array][])
    },
    async coverage() {
      const waiting = prepare(`select count(*) from token_bits b where ${WAITS}`).pluck().get() as number
      const [done, bytes] = prepare(`select count(*), coalesce(sum(size), 0) from token_bits b where ${DONE}`).raw().get() as [
        number,
        number,
      ]
      return { state: stateOf(prepare), done, waiting, bytes }
    },
    async waiting(limit) {
      const { chunkRow, COLUMNS } = await import('./waiting.ts')
      const rows = prepare(`select ${COLUMNS}, b.number as number,
          case typeof(v.hash) when 'blob' then lower(hex(v.hash)) else v.hash end as hash
        from token_bits b indexed by idx_token_bits_waiting cross join index_chunks c on c.vector_number = b.number
          cross join index_files f on f.id = c.file cross join vectors v on v.number = b.number
        where ${WAITS} order by b.wanted desc, b.number limit ?`).all(limit) as (Parameters<typeof chunkRow>[0] &
        Pick<WaitingForBits, 'number' | 'hash'>)[]
      const first = new Map(rows.map((row) => [row.number, row] as const).toReversed())
      return [...first.values()].toReversed().map(({ number, hash, ...row }) => ({ ...chunkRow(row), number, hash }))
    },
  }
}

export function tokenBitRows(prepare: Prepare, target: () => VectorConfig): TokenBitRows {
  return {
    async keep(state) {
      if (state === 'off') prepare('delete from token_bits').run()
      if (state === 'kept' && stateOf(prepare) !== state) letAllWait(prepare, target())
      prepare('insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value').run(
        META.tokenBits,
        state,
      )
    },
    async set(number, bits) {
      if (bits.length % bytesOf(target().dimensions) !== 0) throw notOfTokens(bits, target())
      const blob = Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength)
      const waiting = prepare(`update token_bits as b set bits = ?, size = ? where b.number = ? and ${WAITS}
        and (select v.config from vectors v where v.number = b.number) = (select number from index_words where word = ?)`)
      return waiting.run(blob, blob.length, number, target().id).changes > 0
    },
    async leaveOut(number) {
      prepare('delete from token_bits where number = ? and size is null').run(number)
    },
    async clean() {
      if (chunksWait(prepare)) return
      const unused = prepare(`select b.number from token_bits b where ${WAITS} and ${UNUSED}
        union all select b.number from token_bits b where ${DONE} and ${UNUSED}`)
      await removeRows(prepare, unused.pluck().all() as number[])
    },
  }
}

export function letWait(prepare: Prepare, chunkId: number, number: number): void {
  prepare(`insert into token_bits (number, wanted) select @number, c.timestamp from index_chunks c cross join index_files f on f.id = c.file
    where c.id = @chunkId and f.turn_id is not null and (select value from meta where key = '${META.tokenBits}') = 'kept'
    on conflict (number) do nothing`).run({ chunkId, number })
}

/** After a model swap: drops bits of the old model and queues the new vectors. */
export async function followSwap(prepare: Prepare, config: VectorConfig): Promise<void> {
  const others = prepare(`select b.number from token_bits b join vectors v on v.number = b.number
    where v.config <> (select number from index_words where word = ?)`)
    .pluck()
    .all(config.id) as number[]
  await removeRows(prepare, others)
  if (stateOf(prepare) === 'kept') letAllWait(prepare, config)
}

function letAllWait(prepare: Prepare, config: VectorConfig): void {
  prepare(`insert into token_bits (number, wanted)
    select c.vector_number, max(c.timestamp) from index_chunks c cross join index_files f on f.id = c.file cross join vectors v on v.number = c.vector_number
    where c.vector_number is not null and f.turn_id is not null and v.config = (select number from index_words where word = ?)
    group by c.vector_number on conflict (number) do nothing`).run(config.id)
}

async function removeRows(prepare: Prepare, numbers: readonly number[]): Promise<void> {
  const pause = pauses()
  for (let from = 0; from < numbers.length; from += PAGE) {
    prepare('delete from token_bits where number in (select value from json_each(?))').run(JSON.stringify(numbers.slice(from, from + PAGE)))
    await pause()
  }
}

function chunksWait(prepare: Prepare): boolean {
  return prepare("select 1 from index_chunks c where c.embed_status = 'waiting' and c.embed_status <> 'done' limit 1").get() !== undefined
}

function stateOf(prepare: Prepare): TokenBitsState | undefined {
  return prepare('select value from meta where key = ?').pluck().get(META.tokenBits) as TokenBitsState | undefined
}

function bytesOf(dimensions: number): number {
  return Math.ceil(dimensions / 8)
}

function notOfTokens(bits: Uint8Array, { model, dimensions }: VectorConfig): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', `these are no bits of tokens of ${model}`, { details: { bytes: bits.length, dimensions } })
}
