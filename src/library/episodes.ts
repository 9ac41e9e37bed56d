/** Episodes: lists, one of them, their definitions, and making them again. Each is loaded when it is called. */
import type { MnemonicEpisodes } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function episodes(home: Home): MnemonicEpisodes {
  const { config, clock } = home
  return {
    async list(request = {}) {
      const { listEpisodes } = await import('../browse/list-episodes.ts')
      return listEpisodes(await home.current(), request, { agentId: config.agent, timezone: home.owner().timezone, clock })
    },
    async show(id, { limit } = {}) {
      const { showEpisode } = await import('../browse/show-episode.ts')
      return showEpisode(await home.current(), id, { limit, agentId: config.agent, now: clock() })
    },
    definitions: async () => (await import('../browse/list-episodes.ts')).episodeDefinitions(await home.current()),
    rebuild: async (options = {}) => (await import('../jobs/episodes.ts')).runRebuildEpisodes(await home.stages(options.signal), options),
  }
}
