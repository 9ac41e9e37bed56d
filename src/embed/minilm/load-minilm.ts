/** The embedded default embedder, in this thread. Never asks the network for anything. */
import { MnemonicError } from '../../core/error.ts'
import { encode } from '../../core/tokens.ts'
import { type Part, pooled, tokenWindows } from '../windows.ts'
import { batches } from './batches.ts'
import { type Engine, type EngineName, IDENTITY, MAX_TOKENS, type Precision } from './engine.ts'
import { importOnnxruntime, onnxEngine } from './onnx-engine.ts'

export interface MinilmOptions {
  /** Where the model is written once and read from later. */
  readonly modelsFolder: string
  /** Threads of one run. More than one helps single long texts only; for many texts use more workers. */
  readonly threads?: number
  /** Forces an engine; without it the faster one that runs here. */
  readonly engine?: EngineName
  readonly precision?: Precision
  /** For who has little time: a model that was proved whole before is not read whole again. */
  readonly hurried?: boolean
  /** Stands around every call into native code; a worker passes one. */
  readonly guard?: Guard
}

export type Guard = <T>(call: () => Promise<T>) => Promise<T>

export interface Minilm {
  readonly name: 'minilm'
  readonly model: 'all-MiniLM-L6-v2'
  readonly dimensions: number
  /** Longer texts are embedded in windows of this many tokens and pooled. */
  readonly maxTokens: number
  readonly engine: EngineName
  /** Why it is the slower engine. */
  readonly fallback: string | undefined
  /** One vector of length 1 a text, in order. A text's vector does not depend on the texts beside it. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

export async function loadMinilm(options: MinilmOptions): Promise<Minilm> {
  const { guard = unguarded } = options
  const { engine, fallback } = await startEngine(options, guard)
  return {
    ...IDENTITY,
    engine: engine.name,
    fallback,
    embed: (texts) => embedTexts(engine, texts, guard),
    close: () => engine.close(),
  }
}

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

async function embedTexts(engine: Engine, texts: readonly string[], guard: Guard): Promise<Float32Array[]> {
  const sequences = texts.flatMap((text, index) => tokenWindows(encode(text), MAX_TOKENS - 2).map((tokens) => ({ index, tokens })))
  const parts: Part[][] = texts.map(() => [])
  for (const run of batches(sequences.map((sequence) => sequence.tokens.length))) {
    const vectors = await guard(() => engine.run(run.map((at) => sequences[at]?.tokens ?? [])))
    for (const [position, at] of run.entries()) {
      const sequence = sequences[at]
      const vector = vectors[position]
      if (sequence && vector) parts[sequence.index]?.push({ vector, weight: sequence.tokens.length })
    }
  }
  return parts.map(pooled)
}
