/** Context sentences and likely questions by a model. There is no fallback: a failed run is retried. */
import { redactVisible } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import type { Analyzer, FoundFacet } from '../analyzer.ts'
import { CHUNK_CONTEXT } from '../chunk-context.ts'
import { plainLine } from '../plain-line.ts'
import { byModel } from './by-model.ts'
import { messageOf } from './graph-of-reading.ts'
import type { LanguageModel } from './language-model.ts'
import { CONTEXT_PROMPT } from './prompts/context.ts'
import { recordedText } from './recorded-text.ts'

const MOST_PASSAGES = 8
const MOST_QUESTIONS = 3
const LONGEST = 240
const LONGEST_PASSAGE = 80

export function contextByModel(model: LanguageModel): Analyzer {
  const identity = { name: CHUNK_CONTEXT, version: CONTEXT_PROMPT.version, reads: 'speech' } as const
  return byModel(identity, { model, rules: undefined }, async (episode, signal) => {
    const facets = new Map<string, FoundFacet>()
    let refused = 0
    for (const recorded of recordedText(episode).parts) {
      const messages = recorded.messages.map(({ message }) => message.message)
      const { value } = await model.ask({ prompt: CONTEXT_PROMPT, text: recorded.text, messages, purpose: CHUNK_CONTEXT }, signal)
      refused += Math.max(0, value.passages.length - MOST_PASSAGES)
      for (const { message, quote, context, questions } of value.passages.slice(0, MOST_PASSAGES)) {
        const span = messageOf(recorded, message)?.locate(quote)
        if (span === undefined) {
          refused++
          continue
        }
        const metadata = { passage: quote.trim().slice(0, LONGEST_PASSAGE) }
        const add = (type: string, said: string) => {
          const text = oneLine(plainLine(redactVisible(said), LONGEST), LONGEST)
          if (text !== '') facets.set(`${type} ${text}`, { type, value: text, confidence: 0.5, span, metadata })
        }
        add('chunk_context', context)
        for (const question of questions.slice(0, MOST_QUESTIONS)) add('likely_question', question)
      }
    }
    return { output: { refused }, facets: [...facets.values()] }
  })
}
