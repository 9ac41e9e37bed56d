/** The whole way with the embedded model: what stands at the very end of the longest chunk is found by its vector alone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { countTokens } from '../../src/core/tokens.ts'
import { loadMinilm } from '../../src/embed/open-embedder.ts'
import { openMnemonic } from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { tempFolder } from '../helpers/store.ts'

vi.setConfig({ testTimeout: 120_000 })

const FACT = 'The spare key of the boat is hidden under the blue flower pot.'
const QUESTION = 'Where can I find the second key for the boat?'
const SENTENCES = [
  'We talked about the weather, the garden, the neighbours and the long road to the sea.',
  'The harbour office wants the papers of the crew before the end of the month.',
  'Nobody remembers who painted the old shed, but the colour has held for years.',
  'The bakery opens at six and the first bread is gone by seven on market days.',
  'In autumn the path along the river is under water for a week or two.',
]

/** Sentences in an order that `from` decides, as many as fit into so many tokens. */
function talk(from: number, tokens: number): string {
  let text = ''
  for (let i = from; ; i++) {
    const longer = `${text}${SENTENCES[i % SENTENCES.length]} `
    if (countTokens(longer) > tokens) return text
    text = longer
  }
}

it('a fact in the last 50 tokens of the longest chunk is the nearest to its question', async () => {
  const root = tempFolder()
  const logs = join(root, 'logs')
  mkdirSync(logs)
  const answers = Array.from({ length: 40 }, (_, i) => talk(i, 430 - (i % 5) * 20))
  answers[17] = `${talk(17, 455)}${FACT}`
  const lines = answers.flatMap((content, i) => [
    { role: 'user', content: `And then, part ${i}?`, timestamp: new Date(Date.UTC(2026, 0, 1, 0, 2 * i)).toISOString() },
    { role: 'assistant', content, timestamp: new Date(Date.UTC(2026, 0, 1, 0, 2 * i + 1)).toISOString() },
  ])
  writeFileSync(join(logs, 'talk.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  const mnemonic = await openMnemonic({ home: join(root, 'home'), workspace: join(root, 'workspace') })
  await mnemonic.sync({ path: logs, adapters: ['jsonl'], embed: false })
  const report = await mnemonic.embedding.run()
  expect(report).toMatchObject({ embedded: 40, waiting: 0, failed: 0 })
  const { database, models } = mnemonic.paths
  await mnemonic.close()

  const store = await openSqlite({ path: database, clock: systemClock })
  const chunks = await store.read
    .selectFrom('chunks')
    .select(['id', 'token_count', 'said_assistant'])
    .orderBy('token_count', 'desc')
    .execute()
  const [longest] = chunks
  expect(longest?.token_count).toBeGreaterThan(400)
  expect(longest?.said_assistant.endsWith(FACT)).toBe(true)
  expect(countTokens(FACT)).toBeLessThan(50)

  const embedder = await loadMinilm({ modelsFolder: models })
  const [vector] = await embedder.embed([QUESTION], { purpose: 'query' })
  const [nearest] = await store.vectors.nearest(vector as Float32Array, {}, 3)
  expect(nearest?.chunkId).toBe(longest?.id)
  await embedder.close()
  await store.close()
})
