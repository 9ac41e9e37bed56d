/** `session_summary` and `memory_sentence_v1` by a model, in one question. Deeds still come from rules. */
import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { type SentenceInput, writeMemorySentence } from '../memory-sentence.ts'
import { plainLine } from '../plain-line.ts'
import { topicTag } from '../topics.ts'
import { type ByModelOptions, byModel, implementationOf } from './by-model.ts'
import { type LanguageModel, modelFailed } from './language-model.ts'
import { SESSION_PROMPT, type SessionReading } from './prompts/session.ts'
import { type SessionSource, type SessionText, sessionText } from './session-text.ts'

const MOST_LINES = 8
const MOST_TOPICS = 6
const LONGEST_LINE = 220

interface Asked {
  readonly said: SessionReading
  readonly sources: SessionText['sources']
}

type Ask = (episode: EpisodeText, purpose: string, signal: AbortSignal | undefined) => Promise<Asked | undefined>

function asking(model: LanguageModel): Ask {
  return async (episode, purpose, signal) => {
    const session = sessionText(episode)
    if (session === undefined) return undefined
    const { text, messages, sources } = session
    const { value } = await model.ask({ prompt: SESSION_PROMPT, text, messages, purpose }, signal)
    return { said: value, sources }
  }
}

/** Same shape as by rules. Title, files and trust come from the record. */
export function summaryByModel(options: ByModelOptions & { readonly rules: Analyzer }): Analyzer {
  const identity = { name: 'session_summary', version: SESSION_PROMPT.version, reads: 'calls' } as const
  const ask = asking(options.model)
  return byModel(identity, options, async (episode, signal): Promise<Findings> => {
    const found = await options.rules.analyze(episode, signal)
    const asked = await ask(episode, identity.name, signal)
    if (asked === undefined) return found
    return { ...found, output: { ...(found.output as object), ...summaryLines(asked) } }
  })
}

interface Cited {
  readonly text: string
  readonly source: SessionSource
}

function summaryLines({ said, sources }: Asked) {
  const [asked, done, decisions, actions] = [said.asked, said.done, said.decisions, said.open].map((lines) => linesOf(lines, sources)) as [
    ...[Cited[], Cited[], Cited[], Cited[]],
  ]
  const texts = (lines: readonly Cited[]) => lines.map(({ text }) => text)
  const topics = said.topics.map((topic) => topicTag(plainLine(topic, 40))).filter((topic) => topic !== '')
  return {
    ...{ asked: texts(asked), done: texts(done), decisions: texts(decisions), actions: texts(actions) },
    ...{ topics: [...new Set(topics)].slice(0, MOST_TOPICS), cites: [...asked, ...done, ...decisions, ...actions] },
  }
}

function linesOf(lines: SessionReading['asked'], sources: SessionText['sources']): Cited[] {
  const found = new Map<string, Cited>()
  for (const { text: said, from } of lines) {
    const [text, source] = [plainLine(said, LONGEST_LINE), sources.get(from.trim())]
    if (text !== '' && source !== undefined && !found.has(text)) found.set(text, { text, source })
  }
  return [...found.values()].slice(0, MOST_LINES)
}

export interface SentenceOptions extends ByModelOptions {
  readonly rules: Analyzer
  readonly sentenceInput: (episode: EpisodeText) => SentenceInput | Promise<SentenceInput>
}

/** Below the floor, the rules' sentence is used. */
export function sentenceByModel(options: SentenceOptions): Analyzer {
  const identity = { name: 'memory_sentence_v1', version: SESSION_PROMPT.version, reads: 'calls' } as const
  const ask = asking(options.model)
  const name = implementationOf(options.model)
  return byModel(identity, options, async (episode, signal): Promise<Findings> => {
    const sentence = (await ask(episode, identity.name, signal))?.said.sentence.trim() ?? ''
    if (sentence === '') throw modelFailed('the model gave no sentence', { fault: 'input' })
    const writer = { name, write: async () => sentence }
    const written = await writeMemorySentence(await options.sentenceInput(episode), writer, signal ?? new AbortController().signal)
    if (written.quality === 'ok') return { output: written, facets: [] }
    throw modelFailed(`the model's sentence is below the floor (${written.reasons.join(', ')})`, { fault: 'input' })
  })
}
