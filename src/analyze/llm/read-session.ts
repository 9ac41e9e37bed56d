/** `session_summary` and `memory_sentence_v1` by a model: one question for both. What rules find in the deeds stays; the model says it better. */

import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { type SentenceInput, writeMemorySentence } from '../memory-sentence.ts'
import { plainLine } from '../plain-line.ts'
import { topicTag } from '../topics.ts'
import { type ByModelOptions, byModel, implementationOf } from './by-model.ts'
import { type LanguageModel, modelFailed } from './language-model.ts'
import { SESSION_PROMPT, type SessionReading } from './prompts/session.ts'
import { sessionText } from './session-text.ts'

const MOST_LINES = 8
const MOST_TOPICS = 6
const LONGEST_LINE = 220

async function ask(
  model: LanguageModel,
  episode: EpisodeText,
  purpose: string,
  signal: AbortSignal | undefined,
): Promise<SessionReading | undefined> {
  const session = sessionText(episode)
  if (session === undefined) return undefined
  return (await model.ask({ prompt: SESSION_PROMPT, ...session, purpose }, signal)).value
}

/** The shape is that of the rules: files and trust come from the record, not from the model. */
export function summaryByModel(options: ByModelOptions & { readonly rules: Analyzer }): Analyzer {
  const identity = { name: 'session_summary', version: SESSION_PROMPT.version, reads: 'calls' } as const
  return byModel(identity, options, async (episode, signal): Promise<Findings> => {
    const found = await options.rules.analyze(episode, signal)
    const said = await ask(options.model, episode, identity.name, signal)
    if (said === undefined) return found
    const topics = said.topics.map((topic) => topicTag(plainLine(topic, 40))).filter((topic) => topic !== '')
    const lines = {
      ...{ asked: linesOf(said.asked), done: linesOf(said.done), decisions: linesOf(said.decisions), actions: linesOf(said.open) },
      topics: [...new Set(topics)].slice(0, MOST_TOPICS),
    }
    return { ...found, output: { ...(found.output as object), ...lines } }
  })
}

export interface SentenceOptions extends ByModelOptions {
  readonly rules: Analyzer
  /** What a sentence of the episode is measured by. */
  readonly sentenceInput: (episode: EpisodeText) => SentenceInput | Promise<SentenceInput>
}

/** Whatever a model says is measured by the floor; below it the rules' own stands, and is called a fallback. */
export function sentenceByModel(options: SentenceOptions): Analyzer {
  const identity = { name: 'memory_sentence_v1', version: SESSION_PROMPT.version, reads: 'calls' } as const
  const implementation = implementationOf(options.model)
  return byModel(identity, options, async (episode, signal): Promise<Findings> => {
    const said = await ask(options.model, episode, identity.name, signal)
    const sentence = said?.sentence.trim() ?? ''
    if (sentence === '') throw modelFailed('the model gave no sentence', { fault: 'input' })
    const writer = { name: implementation, write: async () => sentence }
    const written = await writeMemorySentence(await options.sentenceInput(episode), writer, signal ?? new AbortController().signal)
    if (written.quality === 'ok') return { output: written, facets: [] }
    throw modelFailed(`the model's sentence is below the floor (${written.reasons.join(', ')})`, { fault: 'input' })
  })
}

function linesOf(lines: readonly string[]): string[] {
  return [...new Set(lines.map((line) => plainLine(line, LONGEST_LINE)))].filter((line) => line !== '').slice(0, MOST_LINES)
}
