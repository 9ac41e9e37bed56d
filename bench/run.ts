/** Prints every performance table. `npm run bench -- [sync] [analyze] [adapters] [messages] [mail] [calendar] [cold] [latency] [embed] [vectors] [retrieval [--locomo DIR] [--longmemeval DIR]] [coding [--coding DIR]] [route [--coding DIR] [--locomo DIR]] [decisions [--coding DIR]] [outcomes [--coding DIR]] [fix [--coding DIR] [--answers DIR]] [why [--coding DIR] [ranking] [sanitizer] [extraction [--judge FILE]] [identity] [hook [--home DIR]] [fork [--coding DIR]] [reader [--coding DIR]] [know [--coding DIR] [--locomo DIR] [--held-out DIR] [--only samples|locomo|coding|people] [--words]] [left-off [--coding DIR]] [model --answers DIR [--ask] [--coding DIR] [--locomo DIR] [--held-out DIR] [--only reading|questions]] [--full]`; without a name all of them, small enough for ten minutes; figures that matter are ratios within one run. */
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
import { fixBench } from './fix-bench.ts'
import { forkBench } from './fork-bench.ts'
import { hookBench } from './hook-bench.ts'
import { identityBench } from './identity-bench.ts'
import { knowBench } from './know-bench.ts'
import { latencyBench } from './latency-bench.ts'
import { leftOffBench } from './left-off-bench.ts'
import { mailBench } from './mail-bench.ts'
import { messagesBench } from './messages-bench.ts'
import { modelBench } from './model-bench.ts'
import { outcomesBench } from './outcomes-bench.ts'
import { rankingBench } from './ranking-bench.ts'
import { readerBench } from './reader-bench.ts'
import { retrievalBench } from './retrieval-bench.ts'
import { routeBench } from './route-bench.ts'
import { sanitizerBench } from './sanitizer-bench.ts'
import { syncBench } from './sync-bench.ts'
import { vectorBench } from './vector-bench.ts'
import { whyBench } from './why-bench.ts'

export interface BenchContext {
  readonly root: string
  readonly full: boolean
  /** In a run of all benches each does the minimum. */
  readonly brief: boolean
  /** Without vectors, if the bench allows it. */
  readonly words: boolean
  /** Collects unanswered prompts and measures nothing. */
  readonly ask: boolean
  /** `--name VALUE`. */
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
  know: knowBench,
  'left-off': leftOffBench,
  model: modelBench,
  decisions: decisionsBench,
  outcomes: outcomesBench,
  fix: fixBench,
  ranking: rankingBench,
  sanitizer: sanitizerBench,
  identity: identityBench,
  extraction: extractionBench,
  why: whyBench,
} as const

const args = process.argv.slice(2)
const OPTIONS = ['--locomo', '--longmemeval', '--coding', '--judge', '--home', '--held-out', '--only', '--answers']
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
const context: BenchContext = {
  ...{ root, full, options },
  brief: names.length === 0 && !full,
  words: args.includes('--words'),
  ask: args.includes('--ask'),
  print: (line) => console.log(line),
}
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${new Date().toISOString().slice(0, 10)}`,
)
try {
  for (const [name, bench] of Object.entries(BENCHES)) if (names.length === 0 || names.includes(name)) await bench(context)
} finally {
  rmSync(root, { recursive: true, force: true })
}
