/** Reading the graph. Loads the reader of an entity when one is asked for. */
import { parseWhen } from '../core/time.ts'
import type { Home } from './open-home.ts'
import type { Understanding } from './understanding.ts'

export function understanding(home: Home): Understanding {
  const { config, clock } = home
  const agentOf = (agent: string | undefined) => agent ?? config.agent

  const findEntities: Understanding['findEntities'] = async (name, { type, agent } = {}) => {
    const { findEntities: find } = await import('../graph/read/find-entity.ts')
    return find(await home.current(), name, { agentId: agentOf(agent), type })
  }

  const called = async (name: string, { type, agent }: { readonly type?: string | undefined; readonly agent?: string | undefined }) => {
    const { entityCalled } = await import('../graph/read/find-entity.ts')
    return entityCalled(await home.current(), name, { agentId: agentOf(agent), type })
  }

  const synthesize: Understanding['synthesize'] = async (name, { asOf, type, agent } = {}) => {
    const when = asOf === undefined ? undefined : parseWhen(asOf, { timezone: home.owner().timezone, now: clock() })
    const { entity_id } = await called(name, { type, agent })
    const { synthesize: read } = await import('../graph/read/synthesize.ts')
    return read(await home.current(), entity_id, { agentId: agentOf(agent), now: clock(), asOf: when })
  }

  return {
    ...{ findEntities, synthesize },
    async related(id, { agent } = {}) {
      const { relatedTo } = await import('../browse/related.ts')
      return relatedTo(await home.current(), id, agentOf(agent))
    },
    async about(name, { episodes = 5, ...request } = {}) {
      const known = await synthesize(name, request)
      const [store, agentId] = [await home.current(), agentOf(request.agent)]
      const { episodesNaming } = await import('../graph/read/mentions.ts')
      const { neighboursOf } = await import('../graph/read/neighbours.ts')
      return {
        ...known,
        episodes: await episodesNaming(store, known.entity.entity_id, { agentId, limit: episodes }),
        neighbours: await neighboursOf(store, known.entity.entity_id, { agentId, limit: 20 }),
      }
    },
    async relatedEntities(name, { to, types, depth, limit, agent } = {}) {
      const entity = await called(name, { agent })
      const { neighboursOf, pathBetween } = await import('../graph/read/neighbours.ts')
      const [store, options] = [await home.current(), { agentId: agentOf(agent), types, depth }]
      if (to === undefined) return { entity, neighbours: await neighboursOf(store, entity.entity_id, { ...options, limit }), path: null }
      const other = await called(to, { agent })
      return { entity, neighbours: [], path: (await pathBetween(store, entity.entity_id, other.entity_id, options)) ?? null }
    },
  }
}
