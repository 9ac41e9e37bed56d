/**
 * Tokens to the fact: how much of the tools' text an agent reads, following ranks, until what it needs is before it.
 *
 * A question needs one or more facts; each stands in some messages (its evidence). The *informative words* of a question's answer are those
 * that stand neither in the question nor among the stop words, each worth its rarity in the corpus. The *needed sentence* of a fact is the
 * one of its evidence messages that holds most of that worth. It is before the agent when the text shown of a hit of those messages holds
 * at least four fifths of what the needed sentence holds: another sentence that says as much is as good.
 *
 * The agent reads the answer of memory_search from the top. At a hit of the evidence it reads on there if its excerpt holds the sentence;
 * else it has also read memory_get of that hit, by the default budget, which does not repeat the excerpt; if what it has seen of these hits
 * does not hold it either, it goes on to the next one. What is not found within the hits counts as endless. `shown` is the simple variant: the tokens up to and with the first hit of the evidence,
 * whatever its excerpt says.
 */
import type { Mnemonic, SearchResult } from 'agent-mnemonic'
import type { CodingQuestion } from './coding-data.ts'
import { dist } from './retrieval-home.ts'
import { table } from './table.ts'

type AgentText = typeof import('../src/library/agent-text.ts')
type AgentRead = typeof import('../src/library/agent-read.ts')
type Hints = typeof import('../src/mcp/hints.ts')
type Tokens = typeof import('../src/core/tokens.ts')
type Sentences = typeof import('../src/search/sentences.ts')
type Words = typeof import('../src/search/sought-words.ts')
type StopWords = typeof import('../src/search/stop-words.ts')

const HITS = 10

export interface FactBench {
  readonly mnemonic: Mnemonic
  readonly questions: readonly CodingQuestion[]
  readonly now: number
}

/**
 * Measured once, by the same definition and on the same home, with the answers as they were before they had this form (700 characters a hit).
 * Phrasings were then fused outside, by reciprocal rank.
 */
const BEFORE = {
  one: { needed: ['1112', '3806', '23 %'], shown: ['802', '2931', '22 %'] },
  many: { needed: ['1087', '2015', '13 %'], shown: ['484', '1496', '12 %'] },
} as const

/** The table, as a text. */
export async function tokensToFact({ mnemonic, questions, now }: FactBench): Promise<string> {
  const tools = await loaded()
  const texts = await messageTexts(mnemonic)
  const worth = rarity([...texts.values()], tools)
  const rows: string[][] = []
  for (const many of [false, true]) {
    const needed: number[] = []
    const shown: number[] = []
    let whole = 0
    for (const question of questions) {
      const asked = many ? { queries: question.phrasings } : { query: question.question }
      const answer = await mnemonic.memorySearch({ ...asked, limit: HITS })
      whole += tools.countTokens(tools.searchForAgent(answer, { now, hints: tools.TOOL_HINTS }))
      for (const fact of question.facts) {
        const sentence = neededSentence(question, fact, { texts, worth, tools })
        const cost = await costs(mnemonic, answer, { fact, sentence, now, tools })
        needed.push(cost.needed)
        shown.push(cost.shown)
      }
    }
    const name = many ? 'with phrasings' : 'one question'
    const before = BEFORE[many ? 'many' : 'one']
    rows.push([name, 'sentence', ...quartiles(needed), ...before.needed, String(Math.round(whole / questions.length))])
    rows.push([name, 'shown', ...quartiles(shown), ...before.shown, ''])
  }
  return table(
    'Tokens to the fact: MCP’s text read until it is there',
    ['', 'until', 'median', '3rd quartile', 'never', 'before: median', '3rd quartile', 'never', 'a whole answer'],
    rows,
  )
}

export type Tools = Awaited<ReturnType<typeof loaded>>

export async function loaded() {
  const { searchForAgent } = await dist<AgentText>('library/agent-text.js')
  const { readForAgent } = await dist<AgentRead>('library/agent-read.js')
  const { TOOL_HINTS } = await dist<Hints>('mcp/hints.js')
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  const { sentencesOf } = await dist<Sentences>('search/sentences.js')
  const { stemOf } = await dist<Words>('search/sought-words.js')
  const { isStopWord } = await dist<StopWords>('search/stop-words.js')
  const stems = (text: string) => new Set((text.match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf))
  return { searchForAgent, readForAgent, TOOL_HINTS, countTokens, sentencesOf, isStopWord, stems }
}

/** What was said in each message, by the id that hits have. */
export async function messageTexts(mnemonic: Mnemonic): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (let from = 0; ; from += PAGE) {
    const { rows } = await mnemonic.sql(`${MESSAGES} limit ${PAGE} offset ${from}`, { limit: PAGE })
    for (const [id, text] of rows) texts.set(String(id), String(text ?? ''))
    if (rows.length < PAGE) return texts
  }
}

const MESSAGES = "select native_id, content from agent_messages where role in ('user', 'assistant') order by id"
const PAGE = 10_000

export function rarity(texts: readonly string[], { stems }: Tools): (word: string) => number {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of stems(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + (texts.length + 0.5) / ((counts.get(word) ?? 0) + 0.5))
}

export interface Needed {
  readonly words: ReadonlyMap<string, number>
  readonly worth: number
}

export interface Corpus {
  readonly texts: ReadonlyMap<string, string>
  readonly worth: (word: string) => number
  readonly tools: Tools
}

export function neededSentence({ question, answer }: CodingQuestion, fact: ReadonlySet<string>, { texts, worth, tools }: Corpus): Needed {
  const asked = tools.stems(question)
  const words = new Map(
    [...tools.stems(answer)]
      .filter((word) => word.length > 1 && !asked.has(word) && !tools.isStopWord(word))
      .map((word) => [word, worth(word)]),
  )
  const sentences = [...fact].flatMap((id) => tools.sentencesOf(texts.get(id) ?? ''))
  return { words, worth: Math.max(0, ...sentences.map(({ text }) => worthIn(text, words, tools))) }
}

export function worthIn(text: string, words: ReadonlyMap<string, number>, { stems }: Tools): number {
  let sum = 0
  for (const word of stems(text)) sum += words.get(word) ?? 0
  return sum
}

interface Reader {
  readonly fact: ReadonlySet<string>
  readonly sentence: Needed
  readonly now: number
  readonly tools: Tools
}

type Answer = Awaited<ReturnType<Mnemonic['memorySearch']>>

async function costs(
  mnemonic: Mnemonic,
  answer: Answer,
  { fact, sentence, now, tools }: Reader,
): Promise<{ needed: number; shown: number }> {
  const holds = (text: string) => sentence.worth > 0 && worthIn(text, sentence.words, tools) >= 0.8 * sentence.worth
  let shown = Number.POSITIVE_INFINITY
  let read = 0
  let seen = ''
  for (const [i, hit] of answer.results.entries()) {
    if (!isOf(hit, fact)) continue
    const until = tools.countTokens(
      tools.searchForAgent({ ...answer, results: answer.results.slice(0, i + 1) }, { now, hints: tools.TOOL_HINTS }),
    )
    shown = Math.min(shown, until)
    seen += `\n${hit.excerpt}`
    if (holds(seen)) return { needed: until + read, shown }
    const more = { name: hit.citation, about: answer.queries, shown: hit.excerpt }
    const { text } = await tools.readForAgent(mnemonic, more, tools.TOOL_HINTS)
    read += tools.countTokens(text)
    seen += `\n${text}`
    if (holds(seen)) return { needed: until + read, shown }
  }
  return { needed: Number.POSITIVE_INFINITY, shown }
}

function isOf({ message_ids }: Pick<SearchResult, 'message_ids'>, fact: ReadonlySet<string>): boolean {
  return message_ids.some((id) => fact.has(id))
}

/** Median, third quartile, and how many of a hundred never come. */
function quartiles(all: readonly number[]): [string, string, string] {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  const text = (value: number) => (Number.isFinite(value) ? String(value) : 'never')
  return [text(at(0.5)), text(at(0.75)), `${((100 * all.filter((one) => !Number.isFinite(one)).length) / all.length).toFixed(0)} %`]
}
