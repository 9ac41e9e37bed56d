import { parseAsOf } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { Home } from './open-home.ts'
import type { Understanding } from './understanding.ts'

const MOST_LIKE = 10

/** Undefined without vectors, after a change of model, or if it is unreachable: then only words match. */
async function vectorOf(home: Home, store: Store, text: string): Promise<Float32Array | undefined> {
  const active = await store.vectors.active()
  if (active === undefined || text.trim() === '') return undefined
  const [vector] = await home.vectors.queries([text]).catch(() => []) // `health` and `doctor` report the cause
  return vector?.length === active.dimensions ? vector : undefined
}

export function understanding(home: Home): Understanding {
  const { config, clock } = home
  const agentOf = (agent: string | undefined) => agent ?? config.agent

  const findEntities: Understanding['findEntities'] = async (name, { type, agent, like, limit = MOST_LIKE } = {}) => {
    if (like) {
      const { entitiesLike } = await import('../graph/entities-like.ts')
      const store = await home.current()
      return entitiesLike(store, name, { agentId: agentOf(agent), type, limit, vector: await vectorOf(home, store, name) })
    }
    const { findEntities: find } = await import('../graph/find-entity.ts')
    return find({ db: (await home.current()).read }, name, { agentId: agentOf(agent), type })
  }

  const called = async (name: string, { type, agent }: { readonly type?: string | undefined; readonly agent?: string | undefined }) => {
    const { entityCalled } = await import('../graph/find-entity.ts')
    return entityCalled({ db: (await home.current()).read }, name, { agentId: agentOf(agent), type })
  }

  const synthesize: Understanding['synthesize'] = async (name, { asOf, type, agent } = {}) => {
    const when = asOf === undefined ? undefined : parseAsOf(asOf, { timezone: home.owner().timezone, now: clock() })
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
