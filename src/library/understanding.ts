/** What the graph knows, read: who and what an entity is, what it has to do with, where it is named. */
import type { RelatedAnswer } from '../browse/related.ts'
import type { FoundEntity } from '../graph/find-entity.ts'
import type { Neighbour, Step } from '../graph/read/neighbours.ts'
import type { Synthesis } from '../graph/read/synthesize.ts'

export interface EntityRequest {
  /** What was true then, by what had been said by then: 2026-02-01, "3 days ago". */
  readonly asOf?: string | undefined
  /** Only of this type, where several have one name: person, project, … */
  readonly type?: string | undefined
  readonly agent?: string | undefined
}

export interface FindEntitiesOptions {
  readonly type?: string
  readonly agent?: string
  readonly like?: boolean
  /** Most of them with `like`; 10 when absent. */
  readonly limit?: number
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

export interface Understanding {
  /** The sessions and conversations that discuss the same as a session, a turn, a message or an episode. */
  related(id: string, options?: { readonly agent?: string }): Promise<RelatedAnswer>
  /**
   * Entities that a text names: by id, name, alias, a part of the name; else the nearest. Best first. With `like` also those whose name means about
   * the same, where vectors are there.
   */
  findEntities(name: string, options?: FindEntitiesOptions): Promise<FoundEntity[]>
  /** What is known of one: what holds, what held, what is only claimed, each with the messages that say so. */
  synthesize(name: string, request?: EntityRequest): Promise<Synthesis>
  /** Who and what it has to do with. */
  relatedEntities(name: string, request?: RelatedEntitiesRequest): Promise<RelatedEntities>
}
