/** What fills the memory: sync, index, vectors. Each is loaded when it is called. */
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

const jobs = () => import('../jobs/pipeline.ts')

export function syncing(home: Home): Pick<Mnemonic, 'sync' | 'index' | 'embedding'> {
  return {
    sync: async (options = {}) => (await jobs()).runSync(await home.stages(options.signal), options),
    index: {
      run: async (options = {}) => (await jobs()).runIndex(await home.stages(options.signal), options),
      status: async () => (await home.stages()).indexer.status(),
      exportQmd: async (options = {}) => (await jobs()).runExportQmd(await home.stages(options.signal), options),
    },
    embedding: {
      async run(options) {
        await home.current(options?.signal)
        return home.vectors.run(options)
      },
      status: home.vectors.status,
    },
  }
}
