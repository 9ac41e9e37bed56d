import type { ModelProvider } from '../analyze/run/model-provider.ts'
import { type RuleAnalyzers, type RuleContext, ruleAnalyzers } from '../analyze/run/rule-analyzers.ts'
import type { Owner } from '../config/owner.ts'
import { entityTypes } from '../graph/entity-types.ts'
import { countryOf } from '../ledgers/people/handle.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import type { AnalyzeParts } from './analyze.ts'
import type { Stages } from './stages.ts'

export async function analyzeParts(stages: Stages): Promise<AnalyzeParts> {
  const parts = await ruleParts(stages)
  return { ...parts, model: await modelOf(stages, parts.rules) }
}

export async function ruleParts(stages: Stages): Promise<Required<Pick<AnalyzeParts, 'rules' | 'writeGraph'>>> {
  return { rules: ruleAnalyzers(ruleContext(stages.owner)), writeGraph: await graphWriter(stages) }
}

function ruleContext({ name, emails, timezone }: Owner): RuleContext {
  return { timezone, owner: { name, handle: emails[0] } }
}

async function graphWriter({ config, owner }: Stages): Promise<NonNullable<AnalyzeParts['writeGraph']>> {
  const { writeExtracted } = await import('../graph/write-extracted.ts')
  const known = { name: owner.name, handles: ownHandles(owner) }
  const given = {
    owner: known,
    country: countryOf(owner.phones),
    addedTypes: config.graph.entity_types,
    // `followGraph` settles later; its queue survives a crash.
    settlesLater: true,
  }
  return async (tx, { run, episode, now }, extracted) =>
    (await writeExtracted(tx, { runId: run, episode, agentId: episode.agentId, now, ...given }, extracted)).entities
}

async function modelOf({ store, clock, config, configFile }: Stages, rules: RuleAnalyzers): Promise<ModelProvider | undefined> {
  if (config.analyze.provider === 'rules') return undefined
  const { configuredModel } = await import('../analyze/llm/configured-model.ts')
  const { sentenceInput } = await import('../analyze/outcome/analyzers.ts')
  return configuredModel({
    ...{ config: config.analyze, store, clock, configFile, entityTypes: entityTypes(config.graph.entity_types) },
    ...{ rules, sentenceInput },
  })
}
