import { nearestDays } from '../browse/timeline/nearest-days.ts'
import { projectCalled } from '../ingest/project-called.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import type { SearchAnswer, SearchRequest } from '../search/result.ts'
import type { Home } from './open-home.ts'

/** Skips filters other than project and agent: the days would be wrong. */
export async function withNearest(
  home: Home,
  answer: SearchAnswer,
  { filters = {}, personal = 'always' }: SearchRequest,
): Promise<SearchAnswer> {
  const { listed } = answer
  const { project, agent = home.config.agent, ...others } = filters
  if (listed === undefined || listed.from === null || listed.to === null) return answer
  if (Object.values(others).some((value) => value !== undefined)) return answer
  const store = await home.current()
  const owner = home.owner()
  const nearest = await nearestDays(
    store,
    { from: Date.parse(listed.from), to: Date.parse(listed.to) },
    {
      ...{ agentId: agent, timezone: owner.timezone, clock: home.clock, own: ownHandles(owner) },
      scope: project === undefined ? undefined : await projectCalled(store, project),
      personal: personal === 'always',
    },
  )
  return { ...answer, listed: { ...listed, nearest } }
}
