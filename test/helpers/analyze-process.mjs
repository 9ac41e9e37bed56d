// Analyses a database slowly, so that a test can kill it. Prints a line per episode. Usage: node analyze-process.mjs DATABASE DELAY_MS
// IMPLEMENTATION NOW
import { setTimeout as sleep } from 'node:timers/promises'
import { knownTypes } from '../../dist/analyze/run/plan.js'
import { runAnalyses } from '../../dist/analyze/run/run-analyses.js'
import { readRules } from '../../dist/episodes/definitions.js'
import { openSqlite } from '../../dist/store/sqlite/open.js'

const [path, delay, implementation, now] = process.argv.slice(2)
// Continues the ledger's clock, since leases expire.
const started = Date.now()
const clock = () => Number(now) + Date.now() - started
const store = await openSqlite({ path, clock })
const analyzer = {
  ...{ name: 'topics', version: '1', implementation, reads: 'speech' },
  async analyze({ id, messages }) {
    process.stdout.write(`${id}\n`)
    await sleep(Number(delay))
    const { message, text } = messages[0]
    return { output: { id }, facets: [{ type: 'topic', value: text, confidence: 1, span: { message, start: 0, end: text.length } }] }
  },
}
const type = (await knownTypes(store, clock())).find(({ name }) => name === 'topics')
const report = await runAnalyses(store, [{ type, analyzer }], { clock, rules: await readRules(store.read), jobs: 2 })
await store.close()
process.stdout.write(`${JSON.stringify(report)}\n`)
