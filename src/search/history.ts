/** `by: 'history'`: the relevant sessions in order of time, each with a sentence. */

import type { History, SearchAnswer, SearchGroup, SearchRequest, SearchResult } from './result.ts'
import { sentencesOf } from './sentences.ts'
import { heldIn, soughtWord } from './sought-words.ts'

const LOOKED_AT = 100
const SHOWN = 30
/** Below this share of the best confidence, a session only touches on the subject. */
const RELEVANT = 0.6

export async function inHistory(search: (request: SearchRequest) => Promise<SearchAnswer>, request: SearchRequest): Promise<SearchAnswer> {
  const { limit = SHOWN, explain = false, ...rest } = request
  const answer = await search({ ...rest, by: 'session', limit: LOOKED_AT, explain: true })
  const best = bestOfSessions(answer)
  const surest = Math.max(0, ...best.map(({ hit }) => surenessOf(hit)))
  const relevant = best.filter(({ hit }) => isListed(hit) || (hit.matched.length > 0 && surenessOf(hit) >= RELEVANT * surest))
  const shown = relevant.slice(0, limit).toSorted((a, b) => (a.hit.timestamp < b.hit.timestamp ? -1 : 1))
  const results = shown.map(({ hit }) => withSentence(hit, explain))
  const groups = shown.map(({ group, hit }, i) => ({
    ...group,
    timestamp: hit.timestamp,
    hits: [i],
    more: group.more + group.hits.length - 1,
  }))
  const history: History = {
    sessions: shown.length,
    relevant: relevant.length,
    less_relevant: best.length - relevant.length,
    counted: best.length < LOOKED_AT,
  }
  return { ...answer, results, groups, history }
}

interface Best {
  readonly hit: SearchResult
  readonly group: SearchGroup
}

/** Most relevant first. A tool call counts only if nothing said matched. */
function bestOfSessions({ results, groups }: SearchAnswer): Best[] {
  const all = groups.flatMap((group) => {
    const hit = group.hits.map((i) => results[i]).find((one) => one !== undefined)
    return hit === undefined ? [] : [{ hit, group }]
  })
  const said = all.filter(({ hit }) => hit.kind === 'speech')
  return said.length > 0 ? said : all
}

/** Listings and tool calls have no relevance. */
function isListed({ explain = {} }: SearchResult): boolean {
  return explain.sure === undefined
}

function surenessOf({ explain = {} }: SearchResult): number {
  return explain.sure ?? 0
}

function withSentence(hit: SearchResult, explains: boolean): SearchResult {
  const { explain, ...rest } = hit
  const excerpt = hit.kind === 'work' ? hit.excerpt : bestSentence(hit)
  return { ...rest, excerpt, ...(explains && explain !== undefined ? { explain } : {}) }
}

/** The sentence with most words of the question; the first of several. */
function bestSentence({ excerpt, matched }: SearchResult): string {
  const words = matched.flatMap((word) => soughtWord({ words: [word], weight: 1 }))
  let [best, most] = ['', -1]
  for (const { text } of excerpt.split(/ … |\n/).flatMap((part) => [...sentencesOf(part)])) {
    const held = heldIn(text, words).length
    if (held > most) [best, most] = [text, held]
  }
  return best.trim()
}
