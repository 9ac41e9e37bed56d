/**
 * What came of a session or a turn: first what its tool calls did, then what the agent reported, then what was asked. Reads message by message and
 * call by call, and keeps a bounded part of each. Nothing that contacts or untrusted sources wrote is in it. Pure.
 */
import type { EpisodeCall, EpisodeText } from '../analyzer.ts'
import { callReader } from './calls.ts'
import type { Outcome } from './deed.ts'
import { type OutcomeMessage, talkReader } from './talk.ts'

export type { OutcomeMessage }

export interface OutcomeReader {
  /** In the order in which they were said. Of a turn's answers the last one counts. */
  said(message: OutcomeMessage): void
  /** In the order of the calls. */
  did(call: EpisodeCall): void
  outcome(): Outcome
}

export interface OutcomeOptions {
  /** Without what was decided, promised or only read: a label shows none of it. */
  readonly brief?: boolean
}

export function outcomeReader({ project }: { readonly project: string | null }, { brief = false }: OutcomeOptions = {}): OutcomeReader {
  const talk = talkReader(brief)
  const calls = callReader(project, brief)
  return { said: talk.said, did: calls.did, outcome: () => ({ ...calls.calls(), ...talk.talk() }) }
}

/** Of an episode whose messages and calls are at hand. */
export function outcomeOf(
  { messages, calls, project }: Pick<EpisodeText, 'messages' | 'calls' | 'project'>,
  options?: OutcomeOptions,
): Outcome {
  const reader = outcomeReader({ project }, options)
  for (const message of messages) reader.said(message)
  for (const call of calls) reader.did(call)
  return reader.outcome()
}
