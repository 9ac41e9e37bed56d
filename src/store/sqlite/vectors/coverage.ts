import type { VectorCounts, VectorCoverage } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'

export function vectorCoverage(prepare: Prepare): (shadow: boolean) => VectorCoverage {
  let known = { state: '', embedded: 0 }
  return (shadow) => {
    // The redundant condition selects the partial index.
    const open = prepare(
      "select embed_status as status, count(*) as n from index_chunks where embed_status <> 'done' group by embed_status",
    )
    const { waiting, failed } = counted(open.all() as Row[])
    // Recounts embedded chunks only after a change: they are many.
    const change = prepare('select (select max(number) from chunk_sign_changes), (select max(id) from index_chunks)')
      .raw()
      .get() as unknown[]
    const state = JSON.stringify([...change, waiting, failed])
    if (state !== known.state) {
      known = { state, embedded: prepare('select count(*) from index_chunks where vector_number is not null').pluck().get() as number }
    }
    const counts = { waiting, failed, embedded: known.embedded }
    return shadow ? { ...counts, next: shadowCounts(prepare) } : counts
  }
}

/** Counts for the next model. Chunks newer than its start wait for it too. */
export function shadowCounts(prepare: Prepare): VectorCounts {
  const open = counted(prepare("select status, count(*) as n from chunk_shadow where status <> 'done' group by status").all() as Row[])
  const later = prepare(`select count(*) from index_chunks c where c.embed_status = 'waiting' and c.embed_status <> 'done'
    and not exists (select 1 from chunk_shadow s where s.chunk_id = c.id)`)
  const embedded = prepare('select count(*) from chunk_shadow where vector_number is not null').pluck().get() as number
  return { embedded, failed: open.failed, waiting: open.waiting + (later.pluck().get() as number) }
}

interface Row {
  readonly status: string
  readonly n: number
}

function counted(rows: readonly Row[]): { waiting: number; failed: number } {
  const of = (status: string) => rows.find((row) => row.status === status)?.n ?? 0
  return { waiting: of('waiting'), failed: of('failed') }
}
