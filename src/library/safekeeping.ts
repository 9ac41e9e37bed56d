/** What brings a memory out of its home, and back: backup, restore, export, uninstall. Loads each of them when it is called. */
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import type { Stages } from '../jobs/stages.ts'
import type { Store } from '../store/store.ts'
import type { Mnemonic } from './mnemonic.ts'

interface Kept {
  readonly paths: Paths
  readonly config: Config
  readonly clock: Clock
  /** Nothing that was forgotten is in it. */
  readonly current: (signal: AbortSignal | undefined) => Promise<Store>
  readonly stages: (signal?: AbortSignal) => Promise<Stages>
}

type Safekeeping = Pick<Mnemonic, 'backup' | 'restore' | 'export' | 'uninstall'>

export function safekeeping({ paths, config, clock, current, stages }: Kept): Safekeeping {
  const files = async () => (await import('../store/sqlite/backup-files.ts')).sqliteFiles(clock)
  return {
    backup: async (file, options) => {
      const { backup } = await import('../operations/backup.ts')
      return backup({ store: await current(options?.signal), files: await files(), paths, clock }, file, options)
    },
    restore: async (file, options) => {
      const { restore } = await import('../operations/restore.ts')
      const quietMs = config.memory.quiet_minutes * 60_000
      const report = await restore({ files: await files(), paths, clock, quietMs }, file, options)
      // What stays of a session that lost something has no documents until it is indexed again.
      if (report !== undefined && report.forgotten > 0)
        await (await import('../jobs/index.ts')).runTail(await stages(options?.signal), options)
      return report
    },
    export: async (options) => {
      const { exportAll } = await import('../operations/export-all.ts')
      return exportAll({ store: await current(options.signal), paths, clock, agentId: config.agent }, options)
    },
    uninstall: async (options) => {
      const { uninstall } = await import('../operations/uninstall.ts')
      return uninstall({ files: await files(), paths, clock }, options)
    },
  }
}
