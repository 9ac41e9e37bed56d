/** The parts of an analysis that the configuration decides: the rules, the model where one is named, and what writes the graph. */
import { type RuleContext, ruleAnalyzers } from '../analyze/run/rule-analyzers.ts'
import type { Owner } from '../config/owner.ts'
import type { AnalyzeParts } from './analyze.ts'
import type { Stages } from './stages.ts'

export async function analyzeParts({ owner }: Stages): Promise<AnalyzeParts> {
  return { rules: ruleAnalyzers(ruleContext(owner)) }
}

function ruleContext({ name, emails, timezone }: Owner): RuleContext {
  return { timezone, owner: { name, handle: emails[0] } }
}
