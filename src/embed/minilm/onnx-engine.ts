/** The model on onnxruntime. Nothing leaves the machine: the runtime's own telemetry is off before it is loaded. */
import { CLOSE, DIMENSIONS, type Engine, INPUT, OPEN, OUTPUT, type Precision } from './engine.ts'
import { openModel } from './model-file.ts'
import { silenceTelemetry } from './silence-telemetry.ts'

export interface OnnxEngineOptions {
  readonly modelsFolder: string
  readonly threads: number
  readonly precision: Precision
}

/** Fails where the package is not installed or has no binary for this system. */
export async function importOnnxruntime(): Promise<typeof import('onnxruntime-node')> {
  silenceTelemetry()
  return (await import('onnxruntime-node')).default
}

export async function onnxEngine(ort: typeof import('onnxruntime-node'), options: OnnxEngineOptions): Promise<Engine> {
  // Its warnings would go to stderr, past every logger.
  ort.env.logLevel = 'error'
  const session = await ort.InferenceSession.create((await openModel(options.modelsFolder, options.precision)).bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The graph is written as the runtime likes it; its optimizer would only take time.
    graphOptimizationLevel: 'disabled',
    // Threads that wait in a loop make everything slower as soon as the processor has other work.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  return {
    name: 'onnxruntime',
    async run(sequences) {
      const length = (sequences[0]?.length ?? 0) + 2
      const ids = BigInt64Array.from(
        sequences.flatMap((sequence) => [OPEN, ...sequence, CLOSE]),
        BigInt,
      )
      const result = await session.run({ [INPUT]: new ort.Tensor('int64', ids, [sequences.length, length]) })
      const vectors = result[OUTPUT]?.data as Float32Array
      return sequences.map((_, index) => vectors.slice(index * DIMENSIONS, (index + 1) * DIMENSIONS))
    },
    close: () => session.release(),
  }
}
