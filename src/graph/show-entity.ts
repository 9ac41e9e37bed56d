import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import type { Store } from '../store/store.ts'
import { candidatesWith } from './candidate-list.ts'
import type { EntityAlias, ShownEntity } from './entity-answers.ts'
import { partOf, redacted } from './entity-part.ts'
import { entityCalled } from './find-entity.ts'
import { summariesOf } from './list-entities.ts'
import { episodesNaming } from './read/mentions.ts'
import { neighboursOf } from './read/neighbours.ts'
import { synthesize } from './read/synthesize.ts'
import { groupOf } from './same-entity.ts'

export interface ShowEntityOptions {
  readonly agentId: string
  readonly type?: string | undefined
  readonly now: number
  readonly asOf?: number | undefined
  /** Most episodes; default 5. */
  readonly episodes?: number | undefined
}

const MOST_NEIGHBOURS = 20

export async function showEntity(store: Store, named: string, options: ShowEntityOptions): Promise<ShownEntity> {
  const { agentId, type, now, asOf, episodes = 5 } = options
  const { entity_id: id } = await entityCalled({ db: store.read }, named, { agentId, type })
  const parts = await groupOf({ db: store.read }, id)
  const ids = parts.map((part) => part.id)
  const summary = (await summariesOf(store, [id])).get(id)
  if (summary === undefined) throw new Error('an entity that was found is gone')
  const { current, former, uncertain } = await synthesize(store, id, { agentId, now, asOf })
  return {
    ...{ entity: summary, as_of: asOf === undefined ? null : toIso(asOf), current, former, uncertain },
    aliases: await aliasesOf(store, ids),
    parts: parts.map(partOf),
    candidates: await candidatesWith(store, ids),
    episodes: await episodesNaming(store, id, { agentId, limit: episodes, until: asOf }),
    neighbours: await neighboursOf(store, id, { agentId, limit: MOST_NEIGHBOURS }),
  }
}

async function aliasesOf({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<EntityAlias[]> {
  const rows = await read
    .selectFrom('entity_aliases')
    .select(['alias_type', 'value', 'normalized', 'given_by', 'trust', 'rank'])
    .where('entity_id', 'in', ids)
    .orderBy('rank')
    .execute()
  const found = new Map<string, EntityAlias>()
  const better = { owner: 0, header: 1, text: 2 } as const
  for (const { alias_type: type, value, normalized, given_by, trust } of rows) {
    const key = `${type}\n${normalized}`
    const before = found.get(key)
    const one = { type, value: redacted(value), given_by, trust: trust as Trust, times: 1 }
    if (before === undefined) found.set(key, one)
    else
      found.set(key, {
        ...before,
        given_by: better[given_by] < better[before.given_by] ? given_by : before.given_by,
        times: before.times + 1,
      })
  }
  return [...found.values()]
}
