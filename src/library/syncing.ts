import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { given } from '../core/given.ts'
import type { Mnemonic, MnemonicEpisodes, MnemonicSources, ValidatedFile } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function syncing(home: Home): Pick<Mnemonic, 'sources' | 'sync' | 'watch' | 'index' | 'embedding' | 'episodes' | 'rename'> {
  return {
    sources: sources(home),
    async sync(options = {}) {
      const report = await (await import('../jobs/sync.ts')).runSync(await home.stages(options.signal), options)
      // Traces may still ask for publication. Those that cannot be queued stay, and `health` reports them.
      const { takeHookTraces } = await import('./hook-traces.ts')
      await takeHookTraces(home, { starts: true }).catch(() => undefined)
      return report
    },
    watch: async (options) => (await import('../jobs/watch.ts')).runWatch(await home.stages(options.signal), options),
    index: {
      run: async (options = {}) => (await import('../jobs/index.ts')).runIndex(await home.stages(options.signal), options),
      status: async () => (await home.stages()).indexer.status(),
      exportQmd: async (options = {}) => (await import('../jobs/export.ts')).runExportQmd(await home.stages(options.signal), options),
    },
    embedding: {
      async run(options) {
        await home.current(options?.signal)
        return home.vectors.run(options)
      },
      status: home.vectors.status,
    },
    episodes: episodes(home),
    async rename(session, title) {
      const { renameSession } = await import('../ledgers/names/rename-session.ts')
      const { summaryOf } = await import('../browse/session-summary.ts')
      const store = await home.current()
      const agentId = home.config.agent === 'all' ? undefined : home.config.agent
      return summaryOf(store, await renameSession(store, { session, title, agentId, clock: home.clock }))
    },
  }
}

function sources(home: Home): MnemonicSources {
  const { paths, config } = home
  return {
    async list() {
      const { everySource } = await import('../browse/sources.ts')
      const { isEnabled } = await import('../jobs/chosen-sources.ts')
      const store = existsSync(paths.database) ? await home.open() : undefined
      return everySource(await home.adapters(), { store, enabled: (name) => isEnabled(config, name) })
    },
    setEnabled: async (name, enabled) => (await import('../config/switch-source.ts')).switchSource(paths.config, name, enabled),
    async validate(path) {
      const { validateSessionFile } = await import('../ingest/capture/validate-session-file.ts')
      const plain = (await home.adapters()).find(({ name }) => name === 'jsonl')
      const warn = () => undefined // `list` and `sync` report unreadable folders
      const files: ValidatedFile[] = []
      for await (const unit of plain?.discover({ ...given({ path: path && resolve(path) }), warn }) ?? [])
        files.push({ path: unit.path, result: await validateSessionFile(unit.path) })
      return files
    },
  }
}

function episodes(home: Home): MnemonicEpisodes {
  const { config, clock } = home
  const own = async () => (await import('../ledgers/people/own-handles.ts')).ownHandles(home.owner())
  return {
    async list(request = {}) {
      const { listEpisodes } = await import('../browse/list-episodes.ts')
      const { timezone } = home.owner()
      return listEpisodes(await home.current(), request, { agentId: config.agent, timezone, clock, own: await own() })
    },
    async show(id, { limit } = {}) {
      const { showEpisode } = await import('../browse/show-episode.ts')
      return showEpisode(await home.current(), id, {
        limit,
        agentId: config.agent,
        now: clock(),
        own: await own(),
        timezone: home.owner().timezone,
      })
    },
    definitions: async () => (await import('../browse/list-episodes.ts')).episodeDefinitions(await home.current()),
    async addDefinition(definition) {
      const { addDefinition } = await import('../episodes/own-definition.ts')
      const { name } = await addDefinition(await home.current(), definition, clock())
      return (await this.definitions()).find((one) => one.name === name) as Awaited<ReturnType<MnemonicEpisodes['addDefinition']>>
    },
    async removeDefinition(name) {
      await (await import('../episodes/own-definition.ts')).removeDefinition(await home.current(), name)
    },
    rebuild: async (options = {}) => (await import('../jobs/episodes.ts')).runRebuildEpisodes(await home.stages(options.signal), options),
  }
}
