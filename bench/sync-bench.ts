/** Sync of Claude Code logs, generated and real: speed against the bare loop, second run, memory at two sizes, database size. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClaude } from '../test/helpers/generate-claude.ts'
import { bareLoop } from './bare-loop.ts'
import { realLogs } from './real-logs.ts'
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

interface Source {
  readonly name: string
  readonly folder: string
  readonly files: readonly string[]
}

export async function syncBench(context: BenchContext): Promise<void> {
  const { root, full, print } = context
  const sizes = full ? [100e6, 400e6, 1000e6] : [20e6, 80e6]
  const rows: string[][] = []
  const peaks: number[] = []
  for (const size of sizes) {
    const folder = join(root, `logs-${size}`)
    const { files } = await generateClaude({ folder, bytes: size, seed: 42 })
    const { row, peak } = await measure(root, { name: 'generated', folder, files })
    rows.push(row)
    peaks.push(peak)
  }
  const real = realLogs(context)
  if (real !== undefined) rows.push((await measure(root, { name: 'real', ...real })).row)
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
  print(table('Sync of Claude Code logs, no embedding', columns, rows))
  const [small = 1, large = 1] = peaks
  print(`\nPeak memory at four times the source: ${(large / small).toFixed(2)} × (hold ≤ 1.20)`)
}

async function measure(root: string, { name, folder, files }: Source): Promise<{ row: string[]; peak: number }> {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const speech = await timed(() => bareLoop(files, join(root, `bare-${name}-${bytes}.db`), 'speech'))
  const all = await timed(() => bareLoop(files, join(root, `bare-all-${name}-${bytes}.db`), 'all'))
  const home = join(root, `home-${name}-${bytes}`)
  const first = sync(home, folder)
  const database = statSync(join(home, 'mnemonic.db')).size
  const second = sync(home, folder)
  const row = [
    `${name}, ${megabytes(bytes)} MB, ${files.length} files`,
    `${(bytes / 1e3 / all).toFixed(1)} MB/s`,
    `${(bytes / 1e3 / speech).toFixed(1)} MB/s`,
    `${(bytes / 1e3 / first.ms).toFixed(1)} MB/s`,
    `${(all / first.ms).toFixed(2)} / ${(speech / first.ms).toFixed(2)}`,
    `${milliseconds(second.ms)} ms (${((100 * second.ms) / first.ms).toFixed(2)} %), ${second.totals.bytes_read} bytes`,
    `${megabytes(first.maxRss)} MB`,
    (database / bytes).toFixed(2),
  ]
  return { row, peak: first.maxRss }
}
