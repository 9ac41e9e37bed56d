/** Warm searches by words, vectors and both, at growing sizes. Baselines: a plain vector scan and a text search. */
import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Latencies } from './latency-child.ts'
import { generatedHome, questions } from './latency-home.ts'
import { realVectors } from './real-vectors.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, percentile, table } from './table.ts'

const CHILD = fileURLToPath(new URL('./latency-child.js', import.meta.url))
const FTS_TIMES = 3
const GROWTH = 10
/** Size of the guarantee. */
const HELD_AT = 100_000

interface Measured extends Latencies {
  readonly chunks: number
  readonly text: number
  readonly syncMs: number
  readonly database: number
  readonly grep: readonly number[]
}

export async function latencyBench({ root, full, print }: BenchContext): Promise<void> {
  const real = await realVectors(print)
  const sizes = full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
  const measured: Measured[] = []
  for (const chunks of sizes) {
    const { home, logs, plain, textBytes: text, syncMs } = await generatedHome(join(root, `latency-${chunks}`), chunks, real)
    const count = chunks >= 1_000_000 ? 30 : 50
    const argv = [CHILD, home, plain, join(root, 'models'), String(count)]
    const latencies = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' })) as Latencies
    if (latencies.realized !== 'hybrid') throw new Error(`the search was not hybrid but ${latencies.realized}`)
    const database = statSync(join(home, 'mnemonic.db')).size
    measured.push({ ...latencies, chunks, text, syncMs, database, grep: greps(logs) })
  }
  print(table('Search, warm: p50 / p95 in ms', COLUMNS, measured.map(rowOf)))
  print(table('What it takes', SIZE_COLUMNS, measured.map(sizeRowOf)))
  for (const line of verdicts(measured)) print(line)
}

const COLUMNS = ['chunks', 'words', 'vectors', 'hybrid', 'of which embedding', 'plain vec0 scan', `${grepName()}`, 'first hybrid']
const SIZE_COLUMNS = ['chunks', 'text', 'sync', 'memory of the process', 'database per chunk', 'event loop p99']

const both = (taken: readonly number[]) => `${milliseconds(percentile(taken, 0.5))} / ${milliseconds(percentile(taken, 0.95))}`

function rowOf({ chunks, lexical, vector, hybrid, embedding, plain, grep, firstHybrid }: Measured): string[] {
  return [String(chunks), both(lexical), both(vector), both(hybrid), both(embedding), both(plain), both(grep), milliseconds(firstHybrid)]
}

function sizeRowOf({ chunks, text, syncMs, rss, database, eventLoopP99 }: Measured): string[] {
  const perChunk = `${Math.round(database / chunks)} B`
  return [
    String(chunks),
    `${megabytes(text)} MB`,
    `${(syncMs / 1000).toFixed(1)} s`,
    `${megabytes(rss)} MB`,
    perChunk,
    `${eventLoopP99.toFixed(1)} ms`,
  ]
}

/** Limits at 100,000 chunks, and growth of p95 beyond. */
function verdicts(measured: readonly Measured[]): string[] {
  const p95 = (taken: readonly number[]) => percentile(taken, 0.95)
  const said = (holds: boolean) => (holds ? 'held' : 'MISSED')
  const large = measured.find(({ chunks }) => chunks === HELD_AT)
  const largest = measured.find(({ chunks }) => chunks > HELD_AT)
  if (large === undefined) return []
  const times = p95(large.hybrid) / p95(large.lexical)
  const share = p95(large.hybrid) / p95(large.plain)
  const lines = [
    `\n${HELD_AT} chunks: hybrid p95 is ${times.toFixed(2)} × words-only p95 (hold ≤ ${FTS_TIMES}): ${said(times <= FTS_TIMES)}`,
    `${HELD_AT} chunks: hybrid p95 is ${share.toFixed(2)} × the plain scan's p95 (hold < 1): ${said(share < 1)}`,
  ]
  if (largest === undefined) return lines
  const grown = p95(largest.hybrid) / p95(large.hybrid)
  return [
    ...lines,
    `${largest.chunks} chunks: hybrid p95 is ${grown.toFixed(1)} × that at ${HELD_AT} (hold < ${GROWTH}): ${said(grown < GROWTH)}`,
  ]
}

function grepName(): 'rg' | 'grep' {
  return spawnSync('rg', ['--version']).status === 0 ? 'rg' : 'grep'
}

/** A text search for the same words over the session files. */
function greps(folder: string): number[] {
  const program = grepName()
  return questions(12)
    .slice(2)
    .map((query) => {
      const patterns = query.split(/\W+/).flatMap((part) => (part.length > 5 ? ['-e', part] : []))
      const started = performance.now()
      spawnSync(program, program === 'rg' ? ['-c', '-i', ...patterns, folder] : ['-rci', ...patterns, folder], { stdio: 'ignore' })
      return performance.now() - started
    })
}
