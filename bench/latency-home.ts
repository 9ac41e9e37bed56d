/** A home of any size: generated sessions, real sync and index, vectors without a model. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { random } from '../test/helpers/generate-claude.ts'
import { DIMENSIONS, type RealVectors } from './real-vectors.ts'
import { type PlainScan, plainScan, vectorSource } from './vector-source.ts'

const EXCHANGES_A_SESSION = 200

export interface GeneratedHome {
  readonly home: string
  readonly workspace: string
  readonly logs: string
  /** The same vectors in a plain vec0 table. */
  readonly plain: string
  readonly textBytes: number
  readonly syncMs: number
}

/** Vectors carry the embedded model's name, so that searches use them. */
export async function generatedHome(folder: string, chunks: number, real: RealVectors | undefined): Promise<GeneratedHome> {
  const made = {
    home: join(folder, 'home'),
    workspace: join(folder, 'workspace'),
    logs: join(folder, 'logs'),
    plain: join(folder, 'vec0.db'),
  }
  const textBytes = writeSessions(made.logs, chunks)
  const scan = plainScan(made.plain)
  const mnemonic = await openMnemonic({
    ...{ home: made.home, workspace: made.workspace, embedder: madeUp(scan, real) },
    config: { embedding: { batch_size: 2048 } },
  })
  const started = performance.now()
  await mnemonic.sync({ path: made.logs, embed: false, adapters: ['jsonl'] })
  const syncMs = performance.now() - started
  await mnemonic.embedding.run()
  await mnemonic.close()
  scan.close()
  return { ...made, textBytes, syncMs }
}

function madeUp(scan: PlainScan, real: RealVectors | undefined) {
  const { next } = vectorSource(real, 1)
  let number = 0
  return {
    ...{ name: 'minilm', model: 'all-MiniLM-L6-v2', dimensions: DIMENSIONS, maxTokens: 256, engine: 'made up' },
    async embed(texts: readonly string[]) {
      const vectors = texts.map(next)
      scan.begin()
      for (const vector of vectors) scan.add(++number, vector)
      scan.commit()
      return vectors
    },
    close: async () => undefined,
  }
}

/** Deterministic by seed. */
export function questions(count: number, seed = 9): string[] {
  const rand = random(seed)
  return Array.from({ length: count }, () => `what about the ${word(rand)} of ${word(rand)} and ${word(rand)}?`)
}

/** Word frequencies as in a language: few common, most rare. */
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
