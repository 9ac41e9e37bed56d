/** All analyses of this folder. */
import type { Analyzer } from '../analyzer.ts'
import { entitiesByRules } from './entities-by-rules.ts'
import { memoryByRules } from './memory-by-rules.ts'
import type { RuleOptions } from './rule-options.ts'
import { TOPICS_BY_RULES } from './topics-by-rules.ts'

export const extractionByRules = (options: RuleOptions): readonly Analyzer[] => [
  TOPICS_BY_RULES,
  entitiesByRules(options),
  memoryByRules(options),
]
