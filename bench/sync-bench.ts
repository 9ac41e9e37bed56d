/** Sync of Claude Code logs: speed against the bare loop, the second run, memory at two sizes, bytes in the database. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClaude } from '../test/helpers/generate-claude.ts'
import { bareLoop } from './bare-loop.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, table } from './table.ts'

interface ChildReport {
  readonly ms: number
  readonly maxRss: number
  readonly totals: { readonly bytes_read: number; readonly found: number; readonly imported: number; readonly records: number }
}

const CHILD = fileURLToPath(new URL('./sync-child.js', import.meta.url))

function sync(home: string, logs: string): ChildReport {
  return JSON.parse(execFileSync(process.execPath, [CHILD, home, logs], { encoding: 'utf8' })) as ChildReport
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export async function syncBench({ root, full, print }: BenchContext): Promise<void> {
  const sizes = full ? [100e6, 400e6, 1000e6] : [20e6, 80e6]
  const rows: string[][] = []
  const peaks: number[] = []
  for (const size of sizes) {
    const logs = join(root, `logs-${size}`)
    const { files, bytes } = await generateClaude({ folder: logs, bytes: size, seed: 42 })
    const speech = await timed(() => bareLoop(files, join(root, `bare-${size}.db`), 'speech'))
    const all = await timed(() => bareLoop(files, join(root, `bare-all-${size}.db`), 'all'))
    const home = join(root, `home-${size}`)
    const first = sync(home, logs)
    const database = statSync(join(home, 'mnemonic.db')).size
    const second = sync(home, logs)
    peaks.push(first.maxRss)
    rows.push([
      `${megabytes(bytes)} MB, ${files.length} files`,
      `${(bytes / 1e3 / all).toFixed(1)} MB/s`,
      `${(bytes / 1e3 / speech).toFixed(1)} MB/s`,
      `${(bytes / 1e3 / first.ms).toFixed(1)} MB/s`,
      `${(all / first.ms).toFixed(2)} / ${(speech / first.ms).toFixed(2)}`,
      `${milliseconds(second.ms)} ms (${((100 * second.ms) / first.ms).toFixed(2)} %), ${second.totals.bytes_read} bytes`,
      `${megabytes(first.maxRss)} MB`,
      (database / bytes).toFixed(2),
    ])
  }
  const columns = [
    'source',
    'bare loop, all text',
    'bare loop, speech only',
    'first sync',
    'of the bare loops (hold ≥ 0.33)',
    'second sync (hold ≤ 5 %)',
    'peak memory',
    'db bytes per source byte (hold ≤ 1.5)',
  ]
  print(table('Sync of generated Claude Code logs, no embedding', columns, rows))
  const [small = 1, large = 1] = peaks
  print(`\nPeak memory at four times the source: ${(large / small).toFixed(2)} × (hold ≤ 1.20)`)
}
