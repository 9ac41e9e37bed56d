import type { AnalysisName, Analyzer } from '../analyzer.ts'

export interface RuleContext {
  /** The owner's time zone, for "next Tuesday". */
  readonly timezone: string
  readonly owner?: { readonly name?: string | undefined; readonly handle?: string | undefined } | undefined
}

type Load = (context: RuleContext) => Promise<Analyzer>

const RULE_ANALYZERS: Partial<Record<AnalysisName, Load>> = {
  turn_labels: async () => (await import('./turn-labels.ts')).TURN_LABELS,
  topics: async () => (await import('../extract/topics-by-rules.ts')).TOPICS_BY_RULES,
  decisions: async () => (await import('./decisions-of-episode.ts')).DECISIONS,
  entity_extraction: async (context) => (await import('../extract/entities-by-rules.ts')).entitiesByRules(context),
  memory_extraction: async (context) => (await import('../extract/memory-by-rules.ts')).memoryByRules(context),
  session_summary: async () => (await import('../outcome/analyzers.ts')).SUMMARY_BY_RULES,
  memory_sentence_v1: async () => (await import('../outcome/analyzers.ts')).SENTENCE_BY_RULES,
}

export type RuleAnalyzers = (name: string) => Promise<Analyzer | undefined>

export function ruleAnalyzers(context: RuleContext): RuleAnalyzers {
  return async (name) => (Object.hasOwn(RULE_ANALYZERS, name) ? RULE_ANALYZERS[name as AnalysisName]?.(context) : undefined)
}
