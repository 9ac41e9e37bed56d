import type { EpisodeCall } from '../../src/analyze/analyzer.ts'
import type { Outcome } from '../../src/analyze/outcome/deed.ts'
import { type OutcomeMessage, outcomeReader } from '../../src/analyze/outcome/outcome.ts'

let next = 0

export function call(tool: string, params: unknown, result: unknown = { content: 'ok' }): EpisodeCall {
  next += 1
  return {
    ...{ id: `c${next}`, message: `m${next}`, turn: 't1', tool_name: tool, status: 'completed' },
    ...{ params_json: JSON.stringify(params), result_json: JSON.stringify(result) },
  }
}

export const bash = (command: string, output = '') => call('Bash', { command }, { content: output })

export function said(by: 'person' | 'agent', text: string, more: Partial<OutcomeMessage> = {}): OutcomeMessage {
  next += 1
  return { message: `m${next}`, turn: 't1', text, by, trust: by === 'person' ? 'owner' : 'agent', ...more }
}

export const asked = (text: string, more: Partial<OutcomeMessage> = {}) => said('person', text, more)
export const answered = (text: string, more: Partial<OutcomeMessage> = {}) => said('agent', text, more)

/** In order. */
export function outcomeFrom(pieces: readonly (OutcomeMessage | EpisodeCall)[], project: string | null = '/home/ada/app'): Outcome {
  const reader = outcomeReader({ project })
  for (const piece of pieces) {
    if ('tool_name' in piece) reader.did(piece)
    else reader.said(piece)
  }
  return reader.outcome()
}
