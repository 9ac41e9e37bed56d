/** Statements of an episode as facets. Their events are derived by sync. */
import type { Analyzer } from '../analyzer.ts'
import { RULE_EXTRACTOR } from '../statements/by-rules.ts'

export const DECISIONS: Analyzer = {
  ...{ name: 'decisions', version: RULE_EXTRACTOR.version, implementation: 'rules', reads: 'speech' },
  async analyze({ messages }, signal) {
    const texts = new Map(messages.map(({ message, text }) => [message, text]))
    const found = await RULE_EXTRACTOR.extract(messages, signal)
    return {
      output: { has_decision: found.some(({ type }) => type === 'decision'), has_action: found.some(({ type }) => type === 'action_item') },
      facets: found.map(({ type, message, start, end, rule, confidence }) => ({
        ...{ type, value: texts.get(message)?.slice(start, end) ?? '', confidence, span: { message, start, end }, metadata: { rule } },
      })),
    }
  },
}
