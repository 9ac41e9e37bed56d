/**
 * Whether a text records a decision or something to be done: by the rules that make events of what was said, so that the flag of a chunk and the
 * event never say different things. An answer ("yes", "option 2") is a decision only with what it answers, which a chunk need not hold.
 */
import { statementsOf } from './statements/by-rules.ts'
import type { SaidText } from './statements/extractor.ts'

export interface DecisionFlags {
  readonly hasDecision: boolean
  readonly hasAction: boolean
}

/** Both sides of an exchange with an agent, or what somebody wrote. */
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
