/** Prints every performance table. `npm run bench -- [sync] [analyze] [adapters] [messages] [mail] [calendar] [cold] [latency] [embed] [vectors] [retrieval [--locomo DIR] [--longmemeval DIR]] [coding [--coding DIR]] [route [--coding DIR] [--locomo DIR]] [decisions [--coding DIR]] [outcomes [--coding DIR]] [ranking] [sanitizer] [extraction [--judge FILE]] [identity] [hook [--home DIR]] [fork [--coding DIR]] [reader [--coding DIR]] [--full]`; without a name all of them, small enough for ten minutes; figures that matter are ratios within one run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { adapterBench } from './adapter-bench.ts'
import { analyzeBench } from './analyze-bench.ts'
import { calendarBench } from './calendar-bench.ts'
import { codingBench } from './coding-bench.ts'
import { coldBench } from './cold-bench.ts'
import { decisionsBench } from './decisions-bench.ts'
import { embedBench } from './embed-bench.ts'
import { extractionBench } from './extraction-bench.ts'
import { forkBench } from './fork-bench.ts'
import { hookBench } from './hook-bench.ts'
import { identityBench } from './identity-bench.ts'
import { latencyBench } from './latency-bench.ts'
import { mailBench } from './mail-bench.ts'
import { messagesBench } from './messages-bench.ts'
import { outcomesBench } from './outcomes-bench.ts'
import { rankingBench } from './ranking-bench.ts'
import { readerBench } from './reader-bench.ts'
import { retrievalBench } from './retrieval-bench.ts'
import { routeBench } from './route-bench.ts'
import { sanitizerBench } from './sanitizer-bench.ts'
import { syncBench } from './sync-bench.ts'
import { vectorBench } from './vector-bench.ts'

export interface BenchContext {
  readonly root: string
  readonly full: boolean
  /** All benches run, one after the other: each does the least that says something. */
  readonly brief: boolean
  /** What was given as `--name VALUE`. */
  readonly options: ReadonlyMap<string, string>
  readonly print: (line: string) => void
}

const BENCHES = {
  sync: syncBench,
  analyze: analyzeBench,
  adapters: adapterBench,
  messages: messagesBench,
  mail: mailBench,
  calendar: calendarBench,
  cold: coldBench,
  hook: hookBench,
  latency: latencyBench,
  embed: embedBench,
  vectors: vectorBench,
  retrieval: retrievalBench,
  coding: codingBench,
  route: routeBench,
  fork: forkBench,
  reader: readerBench,
  decisions: decisionsBench,
  outcomes: outcomesBench,
  ranking: rankingBench,
  sanitizer: sanitizerBench,
  identity: identityBench,
  extraction: extractionBench,
} as const

const args = process.argv.slice(2)
const OPTIONS = ['--locomo', '--longmemeval', '--coding', '--judge', '--home']
const valueAt = (i: number) => i > 0 && OPTIONS.includes(args[i - 1] ?? '')
const options = new Map(args.flatMap((arg, i) => (valueAt(i) ? [[(args[i - 1] ?? '').slice(2), arg] as const] : [])))
const names = args.filter((arg, i) => !arg.startsWith('--') && !valueAt(i))
const unknown = names.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
const root = mkdtempSync(join(tmpdir(), 'mnemonic-bench-'))
process.once('SIGINT', () => {
  rmSync(root, { recursive: true, force: true })
  process.exit(130)
})
const full = args.includes('--full')
const context: BenchContext = { root, full, brief: names.length === 0 && !full, options, print: (line) => console.log(line) }
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${new Date().toISOString().slice(0, 10)}`,
)
try {
  for (const [name, bench] of Object.entries(BENCHES)) if (names.length === 0 || names.includes(name)) await bench(context)
} finally {
  rmSync(root, { recursive: true, force: true })
}
