/** Cost of a command in its own process, beside an empty Node. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMnemonic } from 'agent-mnemonic'
import { generatedHome, questions } from './latency-home.ts'
import type { BenchContext } from './run.ts'
import { milliseconds, percentile, table } from './table.ts'

const BIN = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url))
const CHUNKS = 10_000
const RUNS = 15
const HOLD = 10

interface Cost {
  readonly wall: number
  /** All threads, with system time; undefined without a shell that reports it. */
  readonly cpu: number | undefined
}

export async function coldBench({ root, print }: BenchContext): Promise<void> {
  const { home, workspace } = await generatedHome(join(root, 'cold'), CHUNKS, undefined)
  const embedder = await openMnemonic({ home, workspace })
  await embedder.embedding.status() // writes the model file, as the first embedding of a home does
  await embedder.close()
  const asked = questions(RUNS)
  const search = (i: number) => [BIN, '--home', home, '--workspace', workspace, 'search', asked[i] as string]
  const cases: Readonly<Record<string, (i: number) => string[]>> = {
    'node -e 0': () => ['-e', '0'],
    'mnemonic --version': () => [BIN, '--version'],
    'mnemonic search, hybrid': search,
    'the same with a config.yaml': search,
    'mnemonic search, words only (exact names)': (i) => [...search(i).slice(0, -1), `src/session_${i}.ts ERR_PAYMENT_${400 + i}`],
  }
  const costs = new Map(Object.keys(cases).map((name) => [name, [] as Cost[]]))
  // Alternates the commands, so that other load affects all alike. The first round warms the disk.
  for (let i = 0; i < RUNS; i++) {
    for (const [name, argv] of Object.entries(cases)) {
      if (name.includes('config.yaml')) writeFileSync(join(home, 'config.yaml'), 'search:\n  limit: 10\n', { mode: 0o600 })
      const cost = run(argv(i))
      if (i > 0) costs.get(name)?.push(cost)
      rmSync(join(home, 'config.yaml'), { force: true })
    }
  }
  const medians = new Map([...costs].map(([name, all]) => [name, medianOf(all)]))
  const base = medians.get('node -e 0') as Cost
  const rows = [...medians].map(([name, { wall, cpu }]) => [
    name,
    milliseconds(wall),
    cpu === undefined ? '–' : milliseconds(cpu),
    ratio(wall, base.wall),
    ratio(cpu, base.cpu),
  ])
  const columns = ['process', 'wall ms, median', 'processor ms, median', 'wall, times node -e 0', 'processor, times node -e 0']
  print(table(`A cold process over ${CHUNKS} chunks, ${RUNS - 1} runs each`, columns, rows))
  const found = medians.get('mnemonic search, hybrid') as Cost
  const worst = Math.max(found.wall / base.wall, (found.cpu ?? 0) / (base.cpu ?? 1))
  print(`\nA hybrid search from a cold process: ${worst.toFixed(1)} × node -e 0 (hold ≤ ${HOLD}): ${worst <= HOLD ? 'held' : 'MISSED'}`)
}

const ratio = (value: number | undefined, base: number | undefined) =>
  value === undefined || base === undefined ? '–' : `${(value / base).toFixed(1)} ×`

function medianOf(costs: readonly Cost[]): Cost {
  const cpu = costs.flatMap((cost) => cost.cpu ?? [])
  return {
    wall: percentile(
      costs.map(({ wall }) => wall),
      0.5,
    ),
    cpu: cpu.length === 0 ? undefined : percentile(cpu, 0.5),
  }
}

const HAS_BASH = spawnSync('bash', ['-c', 'exit 0']).status === 0

/** Measured by the shell, which includes children and exit; Node only reports itself. */
function run(argv: readonly string[]): Cost {
  const started = performance.now()
  const stdio = ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe']
  const command = HAS_BASH
    ? spawnSync('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" 2>/dev/null', 'bash', process.execPath, ...argv], {
        stdio,
        encoding: 'utf8',
      })
    : spawnSync(process.execPath, argv, { stdio, encoding: 'utf8' })
  const wall = performance.now() - started
  if (command.status !== 0) throw new Error(`${argv.join(' ')} ended with ${command.status}`)
  const times = /([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(command.stderr)
  if (times === null) return { wall, cpu: undefined }
  const [real = 0, user = 0, system = 0] = times.slice(1).map((seconds) => Number(seconds) * 1000)
  return { wall: real, cpu: user + system }
}
