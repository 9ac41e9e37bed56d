import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encode } from '../../core/tokens.ts'
import { loadMinilm, type Minilm } from './load-minilm.ts'
import { textOf } from './wasm-engine.ts'
import { readVocabulary } from './weights.ts'

const SENTENCES = [
  'The deployment failed because the migration was applied twice.',
  'Shall we meet on Thursday at half past nine, or is Friday better for you?',
  'ok',
  'const total = items.reduce((sum, item) => sum + item.price * item.count, 0)',
  'Zürich, Łódź and São Paulo are cities; naïve café owners live there.',
  '今天我们决定把数据库迁移到新的服务器。',
  "Error: ENOENT: no such file or directory, open '/var/log/app/2024-03-01.log'",
  '{"id":42,"tags":["alpha","beta"],"nested":{"ok":true,"ratio":0.75}}',
  'She told me that her grandmother baked bread every Sunday, and that the whole village could smell it from the bridge.',
  '   \t\n  ',
]
const FILLER = 'We talked about the weather, the garden, the neighbours and the long road to the sea. '

const folder = mkdtempSync(join(tmpdir(), 'minilm-'))
let int8: Minilm
let fp32: Minilm
let wasm: Minilm

beforeAll(async () => {
  int8 = await loadMinilm({ modelsFolder: folder })
  fp32 = await loadMinilm({ modelsFolder: folder, precision: 'fp32' })
  wasm = await loadMinilm({ modelsFolder: folder, engine: 'wasm' })
})

afterAll(async () => {
  await Promise.all([int8, fp32, wasm].map((minilm) => minilm.close()))
  rmSync(folder, { recursive: true, force: true })
})

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return Number.NaN
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}

function farthest(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] as number))), 0)
}

describe('minilm', () => {
  it('says what it is', () => {
    expect(int8).toMatchObject({
      name: 'minilm',
      model: 'all-MiniLM-L6-v2',
      dimensions: 384,
      maxTokens: 256,
      engine: 'onnxruntime',
      fallback: undefined,
    })
    expect(wasm.engine).toBe('wasm')
  })

  it('fp32 agrees with the reference engine to 0.999, int8 to 0.97, on each sentence', async () => {
    const [reference, exact, fast] = await Promise.all([wasm.embed(SENTENCES), fp32.embed(SENTENCES), int8.embed(SENTENCES)])
    for (const at of SENTENCES.keys()) {
      expect(cosine(exact[at], reference[at]), SENTENCES[at]).toBeGreaterThan(0.999)
      expect(cosine(fast[at], reference[at]), SENTENCES[at]).toBeGreaterThan(0.97)
    }
  })

  it('every vector has length 1', async () => {
    for (const vector of await int8.embed([...SENTENCES, '', FILLER.repeat(60)])) {
      expect(vector).toHaveLength(384)
      expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    }
  })

  it('the same texts give the same vectors, to the bit', async () => {
    expect(await int8.embed(SENTENCES)).toEqual(await int8.embed(SENTENCES))
  })

  it('a text has the same vector alone and among others, whatever their length and order', async () => {
    const texts = [...SENTENCES, ...SENTENCES.map((text) => `${text} ${FILLER}`), FILLER.repeat(40), 'ok', 'no', 'on']
    const together = await int8.embed(texts)
    for (const [at, text] of texts.entries()) {
      const [alone] = await int8.embed([text])
      expect(farthest(alone as Float32Array, together[at] as Float32Array)).toBeLessThan(1e-3)
    }
  })

  it('nothing gives nothing, an empty text a vector', async () => {
    expect(await int8.embed([])).toEqual([])
    const [empty, blank] = await int8.embed(['', ' \n'])
    expect(empty).toEqual(blank)
  })

  it('near in meaning is near in space', async () => {
    const [question, answer, other] = await int8.embed([
      'When does the bakery open?',
      'The baker unlocks his shop at six in the morning.',
      'The compiler reports a type error in line twelve.',
    ])
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.2)
  })

  it.each(['onnxruntime', 'wasm'] as const)('%s finds a fact in the last tokens of a long text', async (engine) => {
    const minilm = engine === 'wasm' ? wasm : int8
    const fact = 'The spare key of the boat is hidden under the blue flower pot.'
    const plain = FILLER.repeat(27)
    const withFact = `${FILLER.repeat(26)}${fact}`
    expect(encode(withFact).length).toBeGreaterThan(480)
    const [question, without, holds] = await minilm.embed(['Where is the key of the boat?', plain, withFact])
    expect(cosine(question, holds)).toBeGreaterThan(cosine(question, without) + 0.05)
  })

  it('both engines give a long text nearly the same vector', async () => {
    const text = SENTENCES.join(' ').repeat(8)
    const [[a], [b]] = await Promise.all([fp32.embed([text]), wasm.embed([text])])
    expect(cosine(a, b)).toBeGreaterThan(0.999)
  })

  it('the text made for the WASM engine has the tokens it was made from', () => {
    const vocabulary = readVocabulary()
    for (const text of [...SENTENCES, 'unaffable ## [UNK] [CLS] don’t 👍 naïveté']) {
      expect(encode(textOf(encode(text), vocabulary))).toEqual(encode(text))
    }
  })

  it('without onnxruntime the WASM engine runs, and says why', async () => {
    vi.doMock('onnxruntime-node', () => {
      throw new Error('no binary for this system')
    })
    vi.resetModules()
    const fresh = await import('./load-minilm.ts')
    const minilm = await fresh.loadMinilm({ modelsFolder: folder })
    expect(minilm.engine).toBe('wasm')
    expect(minilm.fallback).toBeTruthy()
    await expect(fresh.loadMinilm({ modelsFolder: folder, engine: 'onnxruntime' })).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    vi.doUnmock('onnxruntime-node')
  })
})

describe('what minilm says of tokens', () => {
  const LONG = FILLER.repeat(40)

  it('the same vectors, and of each token once the state; the signs are those of the states', async () => {
    const texts = [...SENTENCES, LONG]
    const vectors = await int8.embed(texts)
    const stated = await int8.run(texts, { tokens: 'states' })
    const signed = await int8.run(texts, { tokens: 'signs' })
    for (const [i, text] of texts.entries()) {
      const { vector, states = new Float32Array(), pieces = [] } = stated[i] ?? { vector: new Float32Array() }
      expect(vector).toEqual(vectors[i])
      expect(signed[i]?.vector).toEqual(vectors[i])
      expect(pieces).toHaveLength(encode(text).length)
      expect(states).toHaveLength(pieces.length * 384)
      // Punctuation has states but no bits.
      const words = pieces.flatMap((piece, token) => (/[\p{L}\p{N}]/u.test(piece) ? [token] : []))
      const bits = signed[i]?.bits
      expect(bits).toHaveLength(words.length * 48)
      const isSet = (at: number) => (((bits?.[at >> 3] ?? 0) >> (at & 7)) & 1) === 1
      const wrong = words.filter((token, place) =>
        states.subarray(token * 384, (token + 1) * 384).some((value, d) => value > 0 !== isSet(place * 384 + d)),
      )
      expect(wrong).toEqual([])
    }
    expect(stated[0]?.pieces?.slice(0, 3)).toEqual(['the', 'deployment', 'failed'])
  })

  it('a text that is embedded again, alone or among others, has the same', async () => {
    const [again] = await int8.run([LONG], { tokens: 'signs' })
    const among = await int8.run([...SENTENCES, LONG], { tokens: 'signs' })
    expect(among.at(-1)?.bits).toEqual(again?.bits)
  })

  it('the runtime of WebAssembly says nothing', () => {
    expect([int8.givesStates, fp32.givesStates, wasm.givesStates]).toEqual([true, true, false])
  })
})
