/**
 * Tokens to the fact: what an agent reads, by rank, until it has what it needs. A question needs facts; each has evidence messages.
 * *Informative words* of the answer are neither in the question nor stop words, weighted by rarity in the corpus. The *needed sentence* of
 * a fact is the evidence sentence with most of that weight. A fact counts as read once the shown text of an evidence hit holds four fifths
 * of that weight.
 * The agent reads the answer of memory_search from the top. If the excerpt of an evidence hit lacks the sentence, it also reads memory_get.
 * That call has the default budget and skips the excerpt. If that fails, it goes on. A fact that no hit holds counts as endless. `shown` counts
 * tokens through the first evidence hit, whatever its excerpt.
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

/** Measured once on the same home, with the former answers of 700 characters per hit. Phrasings were fused outside, by reciprocal rank. */
const BEFORE = {
  one: { needed: ['1112', '3806', '23 %'], shown: ['802', '2931', '22 %'] },
  many: { needed: ['1087', '2015', '13 %'], shown: ['484', '1496', '12 %'] },
} as const

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

/** By the id in hits. */
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

/** Median, third quartile, and percentage never found. */
function quartiles(all: readonly number[]): [string, string, string] {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  const text = (value: number) => (Number.isFinite(value) ? String(value) : 'never')
  return [text(at(0.5)), text(at(0.75)), `${((100 * all.filter((one) => !Number.isFinite(one)).length) / all.length).toFixed(0)} %`]
}
