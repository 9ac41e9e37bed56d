/** Never uses the network. */
import { MnemonicError } from '../../core/error.ts'
import { encode, piecesOf } from '../../core/tokens.ts'
import { type OwnTokens, ownTokens, type Part, pooled, tokenWindows } from '../windows.ts'
import { batches } from './batches.ts'
import { DIMENSIONS, type Engine, type EngineName, IDENTITY, MAX_TOKENS, type Precision } from './engine.ts'
import { importOnnxruntime, onnxEngine } from './onnx-engine.ts'
import { stateSigns } from './state-signs.ts'

export interface MinilmOptions {
  readonly modelsFolder: string
  /** More than one helps only single long texts; otherwise use more workers. */
  readonly threads?: number
  readonly engine?: EngineName
  readonly precision?: Precision
  /** Skips the full check of a model that was verified before. */
  readonly hurried?: boolean
  readonly guard?: Guard
}

export type Guard = <T>(call: () => Promise<T>) => Promise<T>

export interface Minilm {
  readonly name: 'minilm'
  readonly model: 'all-MiniLM-L6-v2'
  readonly dimensions: number
  readonly maxTokens: number
  readonly engine: EngineName
  readonly fallback: string | undefined
  readonly givesStates: boolean
  /** Unit vectors in order, each independent of its batch. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  run(texts: readonly string[], options?: { readonly tokens?: WithTokens }): Promise<Embedded[]>
  close(): Promise<void>
}

export type WithTokens = 'signs' | 'states'

/** Overlapping tokens appear once; [CLS] and [SEP] never. */
export interface Embedded {
  readonly vector: Float32Array
  /** DIMENSIONS / 8 bytes per token; none for punctuation. */
  readonly bits?: Uint8Array
  readonly states?: Float32Array
  readonly pieces?: readonly string[]
}

export async function loadMinilm(options: MinilmOptions): Promise<Minilm> {
  const { guard = unguarded } = options
  const { engine, fallback } = await startEngine(options, guard)
  return {
    ...IDENTITY,
    engine: engine.name,
    fallback,
    givesStates: engine.givesStates,
    embed: async (texts) => (await embedTexts(engine, texts, { guard })).map(({ vector }) => vector),
    run: (texts, options) => embedTexts(engine, texts, { guard, ...options }),
    close: () => engine.close(),
  }
}

const WINDOW = MAX_TOKENS - 2

const unguarded: Guard = (call) => call()

async function startEngine(options: MinilmOptions, guard: Guard): Promise<{ engine: Engine; fallback: string | undefined }> {
  if (options.engine === 'wasm') return { engine: await guard(startWasm), fallback: undefined }
  let ort: Awaited<ReturnType<typeof importOnnxruntime>>
  try {
    ort = await guard(importOnnxruntime)
  } catch (cause) {
    if (options.engine === 'onnxruntime') throw unavailable('onnxruntime-node', cause)
    return { engine: await guard(startWasm), fallback: cause instanceof Error ? cause.message : String(cause) }
  }
  const { modelsFolder, threads = 1, precision = 'int8', hurried = false } = options
  return { engine: await guard(() => onnxEngine(ort, { modelsFolder, threads, precision, hurried })), fallback: undefined }
}

async function startWasm(): Promise<Engine> {
  try {
    const { wasmEngine } = await import('./wasm-engine.ts')
    return await wasmEngine()
  } catch (cause) {
    throw cause instanceof MnemonicError ? cause : unavailable('@lat.md/embed', cause)
  }
}

function unavailable(name: string, cause: unknown): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', `${name} cannot be loaded`, {
    details: { package: name },
    hint: `Install it: npm install ${name}`,
    recoverable: false,
    cause,
  })
}

interface Running {
  readonly guard: Guard
  readonly tokens?: WithTokens
}

async function embedTexts(engine: Engine, texts: readonly string[], { guard, tokens: wanted }: Running): Promise<Embedded[]> {
  const encoded = texts.map((text) => encode(text))
  const sequences = encoded.flatMap((ids, index) => tokenWindows(ids, WINDOW).map((tokens, window) => ({ index, window, tokens })))
  const parts: Part[][] = texts.map(() => [])
  const states = wanted === undefined ? [] : encoded.map((ids) => new Float32Array(ids.length * DIMENSIONS))
  for (const run of batches(sequences.map((sequence) => sequence.tokens.length))) {
    const ran = await guard(() =>
      engine.run(
        run.map((at) => sequences[at]?.tokens ?? []),
        { states: wanted !== undefined },
      ),
    )
    for (const [position, at] of run.entries()) {
      const sequence = sequences[at]
      const { vector, states: found } = ran[position] ?? {}
      if (!sequence || !vector) continue
      const { index, window, tokens } = sequence
      parts[index]?.push({ vector, weight: tokens.length })
      if (found) keepOwn(found, { into: states[index] as Float32Array, window })
    }
  }
  return parts.map((some, index) => ({ vector: pooled(some), ...tokensOf(encoded[index] ?? [], states[index], wanted) }))
}

function keepOwn(found: Float32Array, { into, window }: { readonly into: Float32Array; readonly window: number }): void {
  const { start, from, to } = ownTokens(into.length / DIMENSIONS, WINDOW)[window] as OwnTokens
  into.set(found.subarray(from * DIMENSIONS, to * DIMENSIONS), (start + from) * DIMENSIONS)
}

function tokensOf(ids: readonly number[], states: Float32Array | undefined, wanted: WithTokens | undefined): Omit<Embedded, 'vector'> {
  if (states === undefined) return {}
  const pieces = piecesOf(ids)
  return wanted === 'signs' ? { bits: stateSigns(states, { pieces, dimensions: DIMENSIONS }) } : { states, pieces }
}
