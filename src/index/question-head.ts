/** The question's start, for chunks without it. Never part of a chunk's own text. */
import { answersLine, questionLine } from '../core/chunk-text.ts'
import { oneLine } from '../core/text.ts'
import { countTokens } from '../core/tokens.ts'
import type { IndexDocument } from './document.ts'

const MOST_TOKENS = 44
/** Most share of a chunk. */
const SHARE = 1 / 8
/** In characters; ample for these tokens. */
const LOOK_AT = 1200

export interface QuestionHead {
  readonly text: string
  readonly tokens: number
}

/** Undefined if nobody asked. */
export function questionHead({ kind, messages }: Pick<IndexDocument, 'kind' | 'messages'>, maxTokens: number): QuestionHead | undefined {
  if (kind !== 'turn') return undefined
  const answer = messages.findIndex(({ role }) => role !== 'user')
  const asked = messages.slice(0, answer === -1 ? 1 : answer).map(({ text }) => text)
  const text = firstWords(oneLine(asked.join(' ').slice(0, LOOK_AT), LOOK_AT), Math.min(MOST_TOKENS, Math.floor(maxTokens * SHARE)))
  return text === '' ? undefined : { text, tokens: countTokens(questionLine(text)) }
}

export function answersHead({ answers }: Pick<IndexDocument, 'answers'>, maxTokens: number): QuestionHead {
  const text = answers === undefined ? '' : firstWords(answers, Math.min(MOST_TOKENS, Math.floor(maxTokens * SHARE)))
  return { text, tokens: text === '' ? 0 : countTokens(answersLine(text)) }
}

/** Whole words, else a prefix. */
function firstWords(text: string, tokens: number): string {
  if (countTokens(text) <= tokens) return text
  const ends = [...text.matchAll(/\s+/g)].map(({ index }) => index)
  const fits = (end: number) => countTokens(text.slice(0, end)) <= tokens - 1
  const end = ends.findLast(fits) ?? Array.from({ length: tokens }, (_, i) => tokens - i).find(fits) ?? 0
  return end === 0 ? '' : `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`
}
