/** Port of a language model: text and schema in, validated value out. Cost, retries and caching are hidden behind it. */
import type { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import type { Fault, FaultDetails } from '../../embed/embedder.ts'
import type { Calls } from '../../embed/remote/failure.ts'
import type { Tokens } from '../../store/spend.ts'
import type { RecordedText } from './recorded-text.ts'

/** Needed by the memory-writer, which checks each entry as it is written. */
export interface ReadWindow {
  readonly recorded: RecordedText
  readonly project: string | null
}

/** Change the version with the text or the schema. */
export interface Prompt<T> {
  readonly name: string
  readonly version: string
  readonly instructions: string
  /** Plain types, all keys required: some providers reject more. The reader checks lengths and forms. */
  readonly schema: z.ZodType<T>
  /** In tokens. */
  readonly longestAnswer: number
}

export interface Question<T> {
  readonly prompt: Prompt<T>
  readonly text: string
  /** Source messages: the answer is forgotten with any of them. */
  readonly messages: readonly string[]
  readonly window?: ReadWindow
  /** Stored with the answer. Ids and hashes only. */
  readonly note?: object
  readonly purpose: string
}

export interface Answer<T> {
  readonly value: T
  /** Undefined for a cached answer. */
  readonly usage?: Tokens
}

export interface LanguageModel {
  readonly provider: string
  readonly model: string
  /** Throws MODEL_FAILED (`faultOf`), or INTERRUPTED on abort. The value always fits the schema. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Answer<T>>
  /** True if cached: asking is free. */
  knows(question: Question<unknown>): Promise<boolean>
}

/** Upper bound: all input and the longest answer. */
export interface Costs {
  readonly tokens: Tokens
  readonly usd: number | undefined
}

export function modelFailed(message: string, details: FaultDetails, more: { hint?: string; cause?: unknown } = {}): MnemonicError {
  return new MnemonicError('MODEL_FAILED', message, { details, ...more })
}

export const MODEL_CALLS: Calls = { failed: modelFailed, section: 'analyze', answer: 'answer of a language model' }

/** `input`: only this text fails. `provider`: all fail now. `cap`: the daily limit. Undefined for other errors. */
export function modelFault(error: unknown): Fault | undefined {
  if (!(error instanceof MnemonicError) || error.code !== 'MODEL_FAILED') return undefined
  const { fault } = error.details
  return fault === 'provider' || fault === 'cap' ? fault : 'input'
}
