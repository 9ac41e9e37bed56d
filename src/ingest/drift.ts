/** Detects format drift. Never stores content. */
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { isForgotten } from '../tombstones/without-forgotten.ts'

export interface UnitDrift {
  note(name: string): void
  /** Stores new counts in the transaction of their records. */
  save(tx: WriteTx, unit: DriftUnit): Promise<void>
  readonly seen: ReadonlyMap<string, number>
}

export interface DriftUnit {
  readonly adapter: string
  readonly path: string
  readonly now: number
  /** again: reread from the start, drops old counts. further: resumed. rewritten: unordered. */
  readonly reading: 'again' | 'further' | 'rewritten'
  /** The unit has a forgotten session: store no names, which may be content. */
  readonly isFenced: boolean
}

const LONGEST_NAME = 100
const MOST_NAMES = 200
const OTHERS = '(others)'

export function unitDrift(): UnitDrift {
  const seen = new Map<string, number>()
  let fresh = new Map<string, number>()
  let begun = false
  return {
    seen,
    note(name) {
      const short = seen.has(name) ? name : oneLine(redactSensitiveText(name, { mode: 'tools' }), LONGEST_NAME)
      const key = seen.has(short) || seen.size < MOST_NAMES ? short : OTHERS
      for (const counts of [seen, fresh]) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    async save(tx, { adapter, path, now, reading, isFenced }) {
      if (isFenced || (reading === 'again' && !begun)) await dropCounts(tx, adapter, path)
      begun = true
      if (isFenced) fresh = new Map()
      if (fresh.size === 0) return
      const stored = await tx.db
        .selectFrom('format_drift')
        .select(['name', 'count'])
        .where('adapter', '=', adapter)
        .where('path', '=', path)
        .execute()
      const before = new Map(stored.map((row) => [row.name, row.count]))
      const tombstones = await tombstonesOf(tx)
      for (const [name, more] of fresh) {
        if (tombstones !== undefined && isForgotten(name, tombstones)) continue
        // Rewritten units repeat or omit records, so the larger count is kept.
        const count = reading === 'rewritten' ? Math.max(before.get(name) ?? 0, seen.get(name) ?? 0) : (before.get(name) ?? 0) + more
        await tx.db
          .insertInto('format_drift')
          .values({ adapter, path, name, count, first_seen: now, last_seen: now })
          .onConflict((conflict) => conflict.columns(['adapter', 'path', 'name']).doUpdateSet({ count, last_seen: now }))
          .execute()
      }
      fresh = new Map()
    },
  }
}

export async function dropCounts(tx: WriteTx, adapter: string, path: string): Promise<void> {
  await tx.db.deleteFrom('format_drift').where('adapter', '=', adapter).where('path', '=', path).execute()
}

export interface FormatDrift {
  readonly adapter: string
  readonly name: string
  readonly count: number
  readonly files: number
  readonly first_seen: number
  readonly last_seen: number
  readonly example_path: string
}

export async function formatDrift(store: Store): Promise<FormatDrift[]> {
  const rows = await store.read
    .selectFrom('format_drift')
    .select((eb) => [
      'adapter',
      'name',
      eb.fn.sum<number>('count').as('count'),
      eb.fn.countAll<number>().as('files'),
      eb.fn.min('first_seen').as('first_seen'),
      eb.fn.max('last_seen').as('last_seen'),
      eb.fn.min('path').as('example_path'),
    ])
    .groupBy(['adapter', 'name'])
    .execute()
  return rows
    .map((row) => ({ ...row, count: Number(row.count), files: Number(row.files) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

/** Lines such as `codex: 12 × unknown record type "foo" in 3 files (first: PATH)`. */
export function runDrift() {
  const names = new Map<string, { count: number; files: number; first: string }>()
  return {
    add(path: string, seen: ReadonlyMap<string, number>): void {
      for (const [name, count] of seen) {
        const all = names.get(name) ?? { count: 0, files: 0, first: path }
        names.set(name, { count: all.count + count, files: all.files + 1, first: all.first })
      }
    },
    warnings(adapter: string): string[] {
      return [...names].map(([name, { count, files, first }]) => {
        const where = files === 1 ? `1 file (${first})` : `${files} files (first: ${first})`
        return `${adapter}: ${count} × unknown record type ${JSON.stringify(name)} in ${where}`
      })
    },
  }
}
