import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { asksForHistory } from '../../core/state-question.ts'
import {
  type AgentAnswer,
  MOST_OF_EACH,
  mostRelevant,
  type Question,
  type SearchAnswer,
  searchesForAgent,
  searchForAgent,
} from '../../library/index.ts'
import { type NumberedHit, rememberHits } from '../answered.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Given } from '../tool.ts'

interface Found extends AgentAnswer, Pick<SearchAnswer, 'groups'> {
  readonly query: string
  readonly queries: readonly string[]
  readonly results: readonly (AgentAnswer['results'][number] & NumberedHit)[]
}

interface Asked {
  readonly query?: string
  readonly questions?: readonly Question[]
  readonly by?: 'hit' | 'session' | 'history'
  readonly limit?: number
}

export interface SearchCalls<R> {
  readonly one: (request: R) => Promise<Found>
  readonly each: (questions: readonly Question[], request: R) => Promise<readonly Found[]>
}

export async function searched<R extends Asked>(
  served: Served,
  { questions, ...request }: R,
  { one, each }: SearchCalls<R>,
): Promise<Given> {
  const options = { now: served.now(), hints: TOOL_HINTS }
  const isCut = request.limit === undefined && request.by === undefined
  if (questions === undefined) {
    const by = request.by ?? (request.query !== undefined && asksForHistory(request.query) ? 'history' : undefined)
    const all = await one({ ...request, ...given({ by }) } as unknown as R)
    const found = isCut ? mostRelevant(all) : all
    rememberHits(served.answered, [found])
    return { text: await searchForAgent(found, options), document: { notice: NOTICE, ...found } }
  }
  const all = await each(questions, request as unknown as R)
  const answers = isCut ? all.map((answer) => mostRelevant(answer, MOST_OF_EACH)) : all
  const asked = answers.map(({ query }) => query)
  rememberHits(served.answered, answers)
  return { text: await searchesForAgent(asked, answers, options), document: { notice: NOTICE, ...documentOf(asked, answers) } }
}

function documentOf(questions: readonly string[], answers: readonly Found[]): object {
  const [first] = answers
  const said = answers.map(({ query, matched, results, left_out, hint, known, left_off }) => ({
    ...{ query, matched, hits: results.length },
    ...given({ left_out, hint, known, left_off }),
  }))
  return {
    query: questions[0],
    queries: questions,
    mode: first?.mode,
    last_sync: first?.last_sync,
    results: answers.flatMap(({ results }) => results),
    answers: said,
  }
}
