/**
 * Flags chunks with the same rules that derive events, so that both agree. An answer ("yes", "option 2") counts only if the chunk holds the
 * question.
 */
import { statementsOf } from './statements/by-rules.ts'
import type { SaidText } from './statements/extractor.ts'

export interface DecisionFlags {
  readonly hasDecision: boolean
  readonly hasAction: boolean
}

export type SpokenText = string | { readonly user: string; readonly assistant: string }

export function decisionFlags(spoken: SpokenText): DecisionFlags {
  const texts: SaidText[] =
    typeof spoken === 'string'
      ? [{ message: '', text: spoken, by: 'person', to: 'people' }]
      : [
          { message: '', text: spoken.user, by: 'person', to: 'agent' },
          { message: '', text: spoken.assistant, by: 'agent', to: 'people' },
        ]
  const types = texts.flatMap((text) => statementsOf(text).map(({ type }) => type))
  return { hasDecision: types.includes('decision'), hasAction: types.includes('action_item') || types.includes('commitment') }
}
