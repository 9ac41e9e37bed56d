/** Answers questions about the state of work from sessions by time: their words match every session. */
import { leftOff } from '../browse/left-off/left-off.ts'
import { given } from '../core/given.ts'
import { type StateQuestion, stateQuestion } from '../core/state-question.ts'
import { isoOrNull } from '../core/time.ts'
import { projectKeysAt } from '../ingest/project-called.ts'
import type { LeftOffAnswer } from '../search/left-off-answer.ts'
import type { SearchAnswer, SearchRequest } from '../search/result.ts'
import type { Home } from './open-home.ts'

export const GIT_MS = 2_000

/** `here`: a person's folder, who may ask about everything. `prefer_project`: an agent's folder, limited to its project. */
export async function withState(
  home: Home,
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const { here, ...plain } = request
  const asked = askedOf(request)
  if (asked === undefined) return search(plain)
  const left_off = await stateFor(home, request, asked)
  if (left_off === undefined) return search(plain)
  if (asked.time !== undefined) return { ...(await search(plain)), left_off }
  const store = await home.current()
  const query = request.query ?? request.queries?.[0] ?? ''
  return {
    ...{ query, queries: [query], mode: { requested: 'lexical', realized: 'none: a question about state' } },
    ...{ last_sync: isoOrNull((await store.rows.lastDone('sync')) ?? null), matched: 'listed', corrections: [] },
    ...{ results: [], groups: [], more: null, left_off },
    ...(left_off.sessions.length === 0 ? { hint: 'it asks where the work stands, and memory has no session of this project' } : {}),
  }
}

/** Undefined for other filters than project and agent: they ask for a search by words. */
function askedOf({ query, queries = [], filters = {}, exact, explain, here, prefer_project }: SearchRequest): StateQuestion | undefined {
  if (exact || explain || (here ?? prefer_project ?? filters.project) === undefined) return undefined
  const { project: _, agent: __, ...others } = filters
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const [first, ...more] = [query, ...queries].filter((text) => text !== undefined && text !== '') as string[]
  const asked = first === undefined ? undefined : stateQuestion(first)
  return asked !== undefined && more.every((text) => stateQuestion(text) !== undefined) ? asked : undefined
}

async function stateFor(home: Home, request: SearchRequest, { time }: StateQuestion): Promise<LeftOffAnswer | undefined> {
  const { here, prefer_project, filters = {} } = request
  const { project, agent } = filters
  const store = await home.current()
  const options = { agentId: home.config.agent, timezone: home.owner().timezone, now: home.clock(), gitMs: GIT_MS }
  const asked = given({ agent, day: time })
  if (project !== undefined) return leftOff(store, { ...asked, project, ...given({ folder: project === '.' ? here : undefined }) }, options)
  const folder = prefer_project ?? here
  const isKnown = folder !== undefined && (await projectKeysAt(store, folder)).size > 0
  if (isKnown || here === undefined) return leftOff(store, { ...asked, ...given({ folder }) }, options)
  const anywhere = await leftOff(store, asked, options)
  return anywhere.sessions.length === 0 ? undefined : anywhere
}
