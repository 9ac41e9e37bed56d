import type { AnalyzeOptions, AnalyzeReport } from '../jobs/analyze.ts'
import type { MnemonicAnalyses } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export async function analyze(home: Home, options: AnalyzeOptions = {}): Promise<AnalyzeReport> {
  const stages = await home.stages(options.signal)
  const { runAnalyze } = await import('../jobs/analyze.ts')
  const { analyzeParts } = await import('../jobs/analyze-parts.ts')
  return runAnalyze(stages, options, await analyzeParts(stages))
}

export function analyses(home: Home): MnemonicAnalyses {
  return {
    async types() {
      const { listTypes } = await import('../jobs/analysis-types.ts')
      return listTypes(await home.stages())
    },
    async addType(type) {
      const { addType } = await import('../analyze/run/own-type.ts')
      const { name } = await addType(await home.current(), type, home.clock())
      return (await this.types()).find((one) => one.name === name) as Awaited<ReturnType<MnemonicAnalyses['addType']>>
    },
    async removeType(name) {
      await (await import('../analyze/run/own-type.ts')).dropType(await home.current(), name)
    },
  }
}
