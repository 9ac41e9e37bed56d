// Embeds a home slowly with a hash embedder, so that a test can kill it. Prints a line per batch. Usage: node embed-process.mjs HOME
// WORKSPACE DELAY_MS [tokens]; `tokens` adds token bits.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMnemonic } from '../../dist/library/index.js'

const [home, workspace, delay, withTokens] = process.argv.slice(2)
let batches = 0
const hash = (text) => createHash('sha256').update(text).digest()
const bitsOf = (text) => Uint8Array.from(text.split(/\s+/).flatMap((word) => [...hash(word).subarray(0, 4)]))
const embedder = {
  name: 'fake',
  model: 'hashes',
  dimensions: 32,
  maxTokens: 1000,
  async embed(texts) {
    await sleep(Number(delay))
    process.stdout.write(`${++batches}\n`)
    return texts.map((text) => Float32Array.from(hash(text), (byte) => byte - 127.5))
  },
  close: async () => undefined,
  ...(withTokens && {
    tokens: {
      signs: async (texts) => (await embedder.embed(texts)).map((vector, i) => ({ vector, bits: bitsOf(texts[i]) })),
      states: async () => [],
    },
  }),
}
const mnemonic = await openMnemonic({ home, workspace, embedder, config: { embedding: { batch_size: 3 } } })
const report = await mnemonic.embedding.run()
await mnemonic.close()
process.stdout.write(JSON.stringify(report))
