// Embeds a home with an embedder that is slow and made of hashes, so that a test can kill it at work. Prints a line a batch.
// Usage: node embed-process.mjs HOME WORKSPACE DELAY_MS
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMnemonic } from '../../dist/library/index.js'

const [home, workspace, delay] = process.argv.slice(2)
let batches = 0
const embedder = {
  name: 'fake',
  model: 'hashes',
  dimensions: 32,
  maxTokens: 1000,
  async embed(texts) {
    await sleep(Number(delay))
    process.stdout.write(`${++batches}\n`)
    return texts.map((text) => Float32Array.from(createHash('sha256').update(text).digest(), (byte) => byte - 127.5))
  },
  close: async () => undefined,
}
const mnemonic = await openMnemonic({ home, workspace, embedder, config: { embedding: { batch_size: 3 } } })
const report = await mnemonic.embedding.run()
await mnemonic.close()
process.stdout.write(JSON.stringify(report))
