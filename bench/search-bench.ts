/** Search latency at two sizes of the index, beside grep over the same text in the same run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { random } from '../test/helpers/generate-claude.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, percentile, table } from './table.ts'

const EXCHANGES_A_SESSION = 200

export async function searchBench({ root, full, print }: BenchContext): Promise<void> {
  const rows: string[][] = []
  for (const chunks of full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) {
    const logs = join(root, `search-${chunks}`)
    const text = writeSessions(logs, chunks)
    const mnemonic = await openMnemonic({ home: join(root, `search-home-${chunks}`), workspace: join(root, 'search-workspace') })
    const started = performance.now()
    await mnemonic.sync({ path: logs, embed: false, adapters: ['jsonl'] })
    const built = performance.now() - started
    const indexed = (await mnemonic.status()).metrics.total_chunks
    const rand = random(9)
    const queries = Array.from({ length: 60 }, () => `what about the ${word(rand)} of ${word(rand)} and ${word(rand)}?`)
    for (const query of queries.slice(0, 10)) await mnemonic.search({ query })
    const ours = await times(queries.slice(10), async (query) => void (await mnemonic.search({ query })))
    const greps = await times(queries.slice(10, full ? 15 : 30), async (query) => grep(query, logs))
    await mnemonic.close()
    rows.push([
      `${indexed} (${megabytes(text)} MB)`,
      `${(built / 1000).toFixed(1)} s`,
      `${milliseconds(percentile(ours, 0.5))} / ${milliseconds(percentile(ours, 0.95))}`,
      `${milliseconds(percentile(greps, 0.5))} / ${milliseconds(percentile(greps, 0.95))}`,
      `${(percentile(greps, 0.5) / percentile(ours, 0.5)).toFixed(1)} ×`,
      `${Math.round(statSync(join(root, `search-home-${chunks}`, 'mnemonic.db')).size / indexed)} B`,
    ])
  }
  const columns = ['chunks', 'sync', 'search p50 / p95 ms', `${GREP} p50 / p95 ms`, 'faster at p50', 'database per chunk']
  print(table('Lexical search, warm, beside a text search over the same files', columns, rows))
}

const GREP = spawnSync('rg', ['--version']).status === 0 ? 'rg' : 'grep'

function grep(query: string, folder: string): void {
  const words = query.split(/\W+/).filter((part) => part.length > 5)
  const patterns = words.flatMap((part) => ['-e', part])
  spawnSync(GREP, GREP === 'rg' ? ['-c', '-i', ...patterns, folder] : ['-rci', ...patterns, folder], { stdio: 'ignore' })
}

async function times(queries: readonly string[], run: (query: string) => Promise<void>): Promise<number[]> {
  const taken: number[] = []
  for (const query of queries) {
    const started = performance.now()
    await run(query)
    taken.push(performance.now() - started)
  }
  return taken
}

/** Words used as unevenly as those of a language: a few everywhere, most of them rare. */
function word(rand: () => number): string {
  const rank = Math.floor(40_000 ** rand())
  return `${'aeiou'[rank % 5]}${'bcdfgklmnprst'[rank % 13]}${rank.toString(26).replace(/\d/g, (digit) => 'qvwxyzhjkl'[Number(digit)] as string)}en`
}

function writeSessions(folder: string, exchanges: number): number {
  mkdirSync(folder, { recursive: true })
  const rand = random(8)
  const words = (count: number) => Array.from({ length: count }, () => word(rand)).join(' ')
  let bytes = 0
  for (let start = 0; start < exchanges; start += EXCHANGES_A_SESSION) {
    let lines = ''
    for (let i = start; i < Math.min(exchanges, start + EXCHANGES_A_SESSION); i += 1) {
      const timestamp = new Date(Date.UTC(2025, 0, 1) + i * 60_000).toISOString()
      lines += `${JSON.stringify({ role: 'user', content: words(18), timestamp })}\n`
      lines += `${JSON.stringify({ role: 'assistant', content: words(60), timestamp })}\n`
    }
    bytes += lines.length
    writeFileSync(join(folder, `session-${start}.jsonl`), lines)
  }
  return bytes
}
