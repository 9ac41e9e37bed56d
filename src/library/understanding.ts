/** What the graph knows, read: who and what an entity is, what it has to do with, where it is named. */
import { parseWhen } from '../core/time.ts'
import type { FoundEntity } from '../graph/read/find-entity.ts'
import type { MentioningEpisode } from '../graph/read/mentions.ts'
import type { Neighbour, Step } from '../graph/read/neighbours.ts'
import type { Synthesis } from '../graph/read/synthesize.ts'
import type { Home } from './open-home.ts'

export interface EntityRequest {
  /** What was true then, by what had been said by then: 2026-02-01, "3 days ago". */
  readonly asOf?: string
  /** Only of this type, where several have one name: person, project, … */
  readonly type?: string
  readonly agent?: string
}

export interface RelatedEntitiesRequest {
  /** Only over relationships of these types. */
  readonly types?: readonly string[]
  /** Steps: 1 to 4; 1 when absent, 4 with `to`. */
  readonly depth?: number
  /** The way to this one instead of all neighbours. */
  readonly to?: string
  readonly limit?: number
  readonly agent?: string
}

export interface RelatedEntities {
  readonly entity: FoundEntity
  readonly neighbours: readonly Neighbour[]
  /** With `to`: the relationships on the shortest way; null where there is none. */
  readonly path: readonly Step[] | null
}

export interface About extends Synthesis {
  /** Those that name it, the newest first. */
  readonly episodes: readonly MentioningEpisode[]
  readonly neighbours: readonly Neighbour[]
}

export interface Understanding {
  /** Entities that a text names: by id, name, alias, a part of the name; else the nearest. Best first. */
  findEntities(name: string, options?: { readonly type?: string; readonly agent?: string }): Promise<FoundEntity[]>
  /** What is known of one: what holds, what held, what is only claimed, each with the messages that say so. */
  synthesize(name: string, request?: EntityRequest): Promise<Synthesis>
  /** The same, with the episodes that name it and its neighbours. */
  about(name: string, request?: EntityRequest & { readonly episodes?: number }): Promise<About>
  /** Who and what it has to do with. */
  relatedEntities(name: string, request?: RelatedEntitiesRequest): Promise<RelatedEntities>
}

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
