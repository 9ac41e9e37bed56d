/**
 * Builds a narrative from cited sentences. Rejects a sentence that cites none or adds a name or number. Rejects all if most fail: the rest
 * is not credible then.
 */
import { redactVisible } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { readsAsCommand } from '../memory-sentence-anchors.ts'
import { plainLine } from '../plain-line.ts'
import type { LanguageModel } from './language-model.ts'
import { NARRATIVE_PROMPT } from './prompts/narrative.ts'
import { fencedLines } from './recorded-text.ts'

export interface RecordedSentence {
  readonly text: string
  readonly section: string
  readonly messages: readonly string[]
}

export interface WovenSentence {
  readonly text: string
  /** Indexes of the recorded sentences it rests on. */
  readonly from: readonly number[]
}

export interface Woven {
  readonly sentences: readonly WovenSentence[]
  readonly refused: number
}

export const NARRATIVE = 'narrative'
const MOST_RECORDED = 120
const MOST_SENTENCES = 12
const LONGEST = 400

export async function weaveNarrative(
  model: LanguageModel,
  { title, recorded }: { readonly title: string; readonly recorded: readonly RecordedSentence[] },
  signal?: AbortSignal,
): Promise<Woven> {
  const sent = recorded.slice(0, MOST_RECORDED)
  if (sent.length === 0) return { sentences: [], refused: 0 }
  const lines = [
    `about: ${oneLine(redactVisible(title), LONGEST)}`,
    ...sent.map(({ text, section }, i) => `s${i + 1} (${section}): ${text}`),
  ]
  const messages = [...new Set(sent.flatMap((one) => one.messages))]
  const text = fencedLines('recorded', lines.map(redactVisible))
  const { value } = await model.ask({ prompt: NARRATIVE_PROMPT, text, messages, purpose: NARRATIVE }, signal)
  const sentences: WovenSentence[] = []
  for (const said of value.sentences.slice(0, MOST_SENTENCES)) {
    const one = oneLine(plainLine(redactVisible(said.text), LONGEST), LONGEST)
    const from = [...new Set(said.from.map((name) => Number(/^s(\d{1,4})$/.exec(name.trim())?.[1] ?? 0) - 1))]
    const rests = from.length > 0 && from.every((at) => sent[at] !== undefined)
    const known = [title, ...from.map((at) => sent[at]?.text ?? '')].join('\n').toLowerCase()
    if (rests && one !== '' && !readsAsCommand(one) && namesIn(one).every((name) => known.includes(name)))
      sentences.push({ text: one, from })
  }
  const refused = value.sentences.length - sentences.length
  return refused > sentences.length ? { sentences: [], refused } : { sentences, refused }
}

/** Words that a model could invent: numbers, identifiers, capitalised words inside a sentence. */
function namesIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_./@-]*/gu) ?? []
  return words
    .filter((word, i) => /\p{N}/u.test(word) || /[_/@]|\p{Ll}\p{Lu}/u.test(word) || (i > 0 && /^\p{Lu}/u.test(word) && word.length > 1))
    .map((word) => word.replace(/[.-]+$/, '').toLowerCase())
}
