/** Outcome of a session or turn. Reads incrementally with bounded memory. Excludes contacts and untrusted sources. */
import type { EpisodeCall, EpisodeText } from '../analyzer.ts'
import { callReader } from './calls.ts'
import type { Outcome } from './deed.ts'
import { type OutcomeMessage, talkReader } from './talk.ts'

export type { OutcomeMessage }

export interface OutcomeReader {
  /** In order. Only a turn's last answer counts. */
  said(message: OutcomeMessage): void
  did(call: EpisodeCall): void
  outcome(): Outcome
}

export interface OutcomeOptions {
  /** Without decisions, promises and reads, which labels do not show. */
  readonly brief?: boolean
}

export function outcomeReader({ project }: { readonly project: string | null }, { brief = false }: OutcomeOptions = {}): OutcomeReader {
  const talk = talkReader(brief)
  const calls = callReader(project, brief)
  return { said: talk.said, did: calls.did, outcome: () => ({ ...calls.calls(), ...talk.talk() }) }
}

export function outcomeOf(
  { messages, calls, project }: Pick<EpisodeText, 'messages' | 'calls' | 'project'>,
  options?: OutcomeOptions,
): Outcome {
  const reader = outcomeReader({ project }, options)
  for (const message of messages) reader.said(message)
  for (const call of calls) reader.did(call)
  return reader.outcome()
}
