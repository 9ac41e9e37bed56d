// Asks a model several questions, so that a test can kill it. Prints a line per answer. Usage: node llm-process.mjs DATABASE ANALYZE_JSON
// COUNT
import { z } from 'zod'
import { openModel } from '../../dist/analyze/llm/open-model.js'
import { configSchema } from '../../dist/config/schema.js'
import { openSqlite } from '../../dist/store/sqlite/open.js'

process.once('SIGTERM', () => process.exit(143))
const [path, analyze, count] = process.argv.slice(2)
const store = await openSqlite({ path, clock: Date.now })
const { analyze: config } = configSchema.parse({ analyze: JSON.parse(analyze) })
const model = await openModel(config, { store, clock: Date.now, configFile: 'config.yaml' })
const prompt = { name: 'p', version: '1', instructions: 'Answer.', schema: z.object({ n: z.number() }), longestAnswer: 50 }
for (let n = 1; n <= Number(count); n++) {
  const { value, usage } = await model.ask({ prompt, text: `number ${n}`, messages: [], purpose: 'topics' })
  process.stdout.write(`${value.n} ${usage === undefined ? 'kept' : 'paid'}\n`)
}
await store.close()
