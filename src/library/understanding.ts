import type { RelatedAnswer } from '../browse/related.ts'
import type { FoundEntity } from '../graph/find-entity.ts'
import type { Neighbour, Step } from '../graph/read/neighbours.ts'
import type { Synthesis } from '../graph/read/synthesize.ts'

export interface EntityRequest {
  /** Time of the answer, by the knowledge of that time: 2026-02-01, "3 days ago". */
  readonly asOf?: string | undefined
  readonly type?: string | undefined
  readonly agent?: string | undefined
}

export interface FindEntitiesOptions {
  readonly type?: string
  readonly agent?: string
  readonly like?: boolean
  /** For `like`; default 10. */
  readonly limit?: number
}

export interface RelatedEntitiesRequest {
  readonly types?: readonly string[]
  /** 1 to 4 steps; default 1, with `to` 4. */
  readonly depth?: number
  readonly to?: string
  readonly limit?: number
  readonly agent?: string
}

export interface RelatedEntities {
  readonly entity: FoundEntity
  readonly neighbours: readonly Neighbour[]
  readonly path: readonly Step[] | null
}

export interface Understanding {
  related(id: string, options?: { readonly agent?: string }): Promise<RelatedAnswer>
  /** Matches id, name, alias or part of a name; else near names. Best first. `like` adds similar meanings if vectors exist. */
  findEntities(name: string, options?: FindEntitiesOptions): Promise<FoundEntity[]>
  synthesize(name: string, request?: EntityRequest): Promise<Synthesis>
  relatedEntities(name: string, request?: RelatedEntitiesRequest): Promise<RelatedEntities>
}
