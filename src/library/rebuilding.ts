import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function rebuilding(home: Home): Pick<Mnemonic, 'rebuild'> {
  return {
    async rebuild(options = {}) {
      const stages = await home.stages(options.signal)
      const { runRebuild } = await import('../jobs/rebuild.ts')
      const { analyzeParts } = await import('../jobs/analyze-parts.ts')
      return runRebuild(stages, options, await analyzeParts(stages))
    },
  }
}
