import type { MnemonicSafekeeping } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function safekeeping(home: Home): MnemonicSafekeeping {
  const { paths, config, clock } = home
  const files = async () => (await import('../store/sqlite/files/database-files.ts')).sqliteFiles(clock)
  return {
    async backup(file, options) {
      const { backup } = await import('../operations/backup.ts')
      return backup({ store: await home.current(options?.signal), files: await files(), paths, clock }, file, options)
    },
    async restore(file, options) {
      const { restore } = await import('../operations/restore.ts')
      const quietMs = config.memory.quiet_minutes * 60_000
      const report = await restore({ files: await files(), paths, clock, quietMs }, file, options)
      if (report !== undefined)
        await (await import('../jobs/follow-restored.ts')).followRestored(
          await home.unsettledStages(options?.signal),
          report.forgotten,
          options,
        )
      return report
    },
    async repair(options) {
      const { repair } = await import('../operations/repair.ts')
      const report = await repair({ files: await files(), paths, clock }, options)
      if (report !== undefined) await (await import('./after-repair.ts')).completeRepair(home, options)
      return report
    },
    async export(options) {
      const { exportAll } = await import('../operations/export-all.ts')
      return exportAll({ store: await home.current(options.signal), paths, clock, agentId: config.agent }, options)
    },
    async exportSession(id, { format = 'markdown', branches = false } = {}) {
      const { exportSession } = await import('../operations/export-session/export-session.ts')
      const { showPages } = await import('../browse/show.ts')
      return exportSession(await showPages(await home.current(), id, { branches, agentId: config.agent }), format)
    },
    async writeSession(id, file, { format = 'markdown', branches = false, force = false } = {}) {
      const { exportSession, writeSession } = await import('../operations/export-session/export-session.ts')
      const { showPages } = await import('../browse/show.ts')
      const store = await home.current()
      const exported = exportSession(await showPages(store, id, { branches, agentId: config.agent }), format)
      return writeSession({ store, paths }, exported, { file, format, force })
    },
    async uninstall(options) {
      const { uninstall } = await import('../operations/uninstall.ts')
      const { registrationsOn } = await import('../operations/registrations.ts')
      const { contextOf } = await import('./installing.ts')
      return uninstall({ files: await files(), paths, clock, registrations: registrationsOn(contextOf(home)) }, options)
    },
  }
}
