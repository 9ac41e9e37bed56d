/** Telemetry must be disabled before the runtime is loaded. */
import type { InferenceSession } from 'onnxruntime-node'
import { CLOSE, DIMENSIONS, type Engine, INPUT, OPEN, OUTPUT, type Precision, STATES } from './engine.ts'
import { openModel, provedModel } from './model-file.ts'
import { silenceTelemetry } from './silence-telemetry.ts'

export interface OnnxEngineOptions {
  readonly modelsFolder: string
  readonly threads: number
  readonly precision: Precision
  readonly hurried?: boolean
}

/** Throws if the package or its binary is missing. */
export async function importOnnxruntime(): Promise<typeof import('onnxruntime-node')> {
  silenceTelemetry()
  return (await import('onnxruntime-node')).default
}

export async function onnxEngine(ort: typeof import('onnxruntime-node'), options: OnnxEngineOptions): Promise<Engine> {
  // Warnings would bypass the logger to stderr.
  ort.env.logLevel = 'error'
  const { modelsFolder, precision } = options
  const proved = options.hurried ? provedModel(modelsFolder, precision) : undefined
  const settings: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The graph is written in its final form; optimizing it only takes time.
    graphOptimizationLevel: 'disabled',
    // Spinning threads slow everything down on a busy CPU.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const { create } = ort.InferenceSession
  const session = await (proved === undefined
    ? create((await openModel(modelsFolder, precision)).bytes, settings)
    : create(proved, settings))
  return {
    name: 'onnxruntime',
    givesStates: session.outputNames.includes(STATES),
    async run(sequences, { states: wanted = false } = {}) {
      const length = (sequences[0]?.length ?? 0) + 2
      const ids = BigInt64Array.from(
        sequences.flatMap((sequence) => [OPEN, ...sequence, CLOSE]),
        BigInt,
      )
      const outputs = wanted ? [OUTPUT, STATES] : [OUTPUT]
      const result = await session.run({ [INPUT]: new ort.Tensor('int64', ids, [sequences.length, length]) }, outputs)
      const vectors = result[OUTPUT]?.data as Float32Array
      const states = wanted ? (result[STATES]?.data as Float32Array) : undefined
      return sequences.map((_, index) => ({
        vector: vectors.slice(index * DIMENSIONS, (index + 1) * DIMENSIONS),
        ...(states && { states: states.subarray((index * length + 1) * DIMENSIONS, ((index + 1) * length - 1) * DIMENSIONS) }),
      }))
    },
    close: () => session.release(),
  }
}
