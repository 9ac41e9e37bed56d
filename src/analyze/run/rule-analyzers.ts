/** The analyses that need no model, each loaded when it runs. */
import type { AnalysisName, Analyzer } from '../analyzer.ts'

type Load = () => Promise<Analyzer>

const RULE_ANALYZERS: Partial<Record<AnalysisName, Load>> = {
  turn_labels: async () => (await import('./turn-labels.ts')).TURN_LABELS,
  topics: async () => (await import('./topics-of-episode.ts')).TOPICS,
  decisions: async () => (await import('./decisions-of-episode.ts')).DECISIONS,
}

/** Undefined where there are none for it. */
export async function ruleAnalyzer(name: string): Promise<Analyzer | undefined> {
  return Object.hasOwn(RULE_ANALYZERS, name) ? RULE_ANALYZERS[name as AnalysisName]?.() : undefined
}
