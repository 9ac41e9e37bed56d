/** `by: 'history'`: the relevant sessions in order of time, each with a sentence. */

import { estimateTokens } from '../core/estimate-tokens.ts'
import type { History, SearchAnswer, SearchGroup, SearchRequest, SearchResult } from './result.ts'
import { sentencesOf } from './sentences.ts'
import { heldIn, soughtWord } from './sought-words.ts'

const LOOKED_AT = 100
const SHOWN = 30
/** Below this share of the best confidence, a session only touches on the subject. */
const RELEVANT = 0.6
const ROOM = 320

export async function inHistory(search: (request: SearchRequest) => Promise<SearchAnswer>, request: SearchRequest): Promise<SearchAnswer> {
  const { limit = SHOWN, explain = false, ...rest } = request
  const answer = await search({ ...rest, by: 'session', limit: LOOKED_AT, explain: true })
  const best = bestOfSessions(answer)
  const surest = Math.max(0, ...best.map(({ hit }) => surenessOf(hit)))
  const relevant = best.filter(({ hit }) => isListed(hit) || (hit.matched.length > 0 && surenessOf(hit) >= RELEVANT * surest))
  const shown = relevant.slice(0, limit).toSorted((a, b) => (a.hit.timestamp < b.hit.timestamp ? -1 : 1))
  const results = shown.map(({ hit }) => withSentence(hit, { room: Math.floor(ROOM / shown.length), explains: explain }))
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

function withSentence(hit: SearchResult, { room, explains }: { readonly room: number; readonly explains: boolean }): SearchResult {
  const { explain, ...rest } = hit
  const excerpt = hit.kind === 'work' ? hit.excerpt : bestSentence(hit, room)
  return { ...rest, excerpt, ...(explains && explain !== undefined ? { explain } : {}) }
}

function bestSentence({ excerpt, matched }: SearchResult, room: number): string {
  const words = matched.flatMap((word) => soughtWord({ words: [word], weight: 1 }))
  const runs = excerpt.split(/ … |\n…\n/).map((run) => run.split('\n').flatMap((line) => [...sentencesOf(line)].map(({ text }) => text)))
  let [best, at, most] = [runs[0] ?? [], 0, -1]
  for (const run of runs)
    for (const [i, sentence] of run.entries()) {
      const held = heldIn(sentence, words).length
      if (held > most) [best, at, most] = [run, i, held]
    }
  let [from, to] = [at, at + 1]
  let left = room - estimateTokens(best[at] ?? '')
  for (;;) {
    const next = [best[to], best[from - 1]].map((sentence) => (sentence === undefined ? Infinity : estimateTokens(sentence)))
    const [after, before] = next as [number, number]
    if (after <= left) to += 1
    else if (before <= left) from -= 1
    else break
    left -= after <= left ? after : before
  }
  return best.slice(from, to).join(' ').trim()
}
