/**
 * The port of a language model: a text and a schema in, a checked value out. What it costs, how often it is tried and what is remembered is behind
 * it; who asks knows neither provider nor money.
 */
import type { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import type { Fault, FaultDetails } from '../../embed/embedder.ts'
import type { Calls } from '../../embed/remote/failure.ts'
import type { Tokens } from '../../store/spend.ts'
import type { RecordedText } from './recorded-text.ts'

/** The window that a question is about, for one that checks what it says while it says it. */
export interface ReadWindow {
  readonly recorded: RecordedText
  readonly project: string | null
}

/** What a model is told to do, and the shape of its answer. Another text or another schema is another version. */
export interface Prompt<T> {
  readonly name: string
  readonly version: string
  readonly instructions: string
  /** Types only, all keys required: some providers refuse more. Lengths and forms are checked by who reads the value. */
  readonly schema: z.ZodType<T>
  /** Tokens that an answer may have. */
  readonly longestAnswer: number
}

export interface Question<T> {
  readonly prompt: Prompt<T>
  /** The recorded text, redacted and fenced. */
  readonly text: string
  /** The messages that it is made of: the answer is forgotten with any of them. */
  readonly messages: readonly string[]
  readonly window?: ReadWindow
  /** Kept with the answer: what the question was of. Ids and hashes, and nothing that the answer itself may not hold. */
  readonly note?: object
  /** For whom it is paid: the name of the analysis. */
  readonly purpose: string
}

export interface Answer<T> {
  readonly value: T
  /** Absent where it was answered before, and nothing was paid. */
  readonly usage?: Tokens
}

export interface LanguageModel {
  /** `openai`, `command`, … */
  readonly provider: string
  readonly model: string
  /** Throws MODEL_FAILED (`faultOf`), and INTERRUPTED when the signal is raised. Never an answer that does not fit its schema. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Answer<T>>
  /** Whether it was answered before: asking it again costs nothing. */
  knows(question: Question<unknown>): Promise<boolean>
}

/** What asking costs at most: all that is sent, and the longest answer. */
export interface Costs {
  readonly tokens: Tokens
  /** Undefined where nobody knows the price. */
  readonly usd: number | undefined
}

export function modelFailed(message: string, details: FaultDetails, more: { hint?: string; cause?: unknown } = {}): MnemonicError {
  return new MnemonicError('MODEL_FAILED', message, { details, ...more })
}

/** Whose calls these are, for errors. */
export const MODEL_CALLS: Calls = { failed: modelFailed, section: 'analyze', answer: 'answer of a language model' }

/** `input`: this text, another may pass. `provider`: none passes now. `cap`: today's limit. Undefined for any other error. */
export function modelFault(error: unknown): Fault | undefined {
  if (!(error instanceof MnemonicError) || error.code !== 'MODEL_FAILED') return undefined
  const { fault } = error.details
  return fault === 'provider' || fault === 'cap' ? fault : 'input'
}
