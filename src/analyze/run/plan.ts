import { MnemonicError } from '../../core/error.ts'
import { unknownValue } from '../../core/unknown-value.ts'
import type { Store } from '../../store/store.ts'
import { MEMORY_WRITER } from '../memory-writer.ts'
import { type AnalysisType, readTypes, seedTypes } from './analysis-type.ts'
import { BUILT_IN_TYPES } from './built-in-types.ts'
import type { EpisodeToRead } from './load-episodes.ts'
import type { CostEstimate, ModelProvider } from './model-provider.ts'
import type { RuleAnalyzers } from './rule-analyzers.ts'
import type { Planned, RunOptions } from './run-options.ts'
import { RULES, waitingEpisodes } from './waiting.ts'

export interface Plan {
  readonly planned: readonly Planned[]
  readonly unable: readonly AnalysisType[]
}

export interface PlanRequest {
  readonly names?: readonly string[] | undefined
  readonly model?: ModelProvider | undefined
  readonly rules: RuleAnalyzers
  readonly onlyNamed?: readonly string[] | undefined
  readonly now: number
}

/** Default: all types. Throws if a named type has no implementation. */
export async function planAnalyses(store: Store, { names, model, rules, onlyNamed = [], now }: PlanRequest): Promise<Plan> {
  const types = await knownTypes(store, now)
  for (const name of names ?? []) if (!types.some((type) => type.name === name)) throw unknownType(name, types)
  const planned: Planned[] = []
  const unable: AnalysisType[] = []
  for (const type of types) {
    if (names === undefined ? onlyNamed.includes(type.name) : !names.includes(type.name)) continue
    const analyzer = (await model?.analyzer(type)) ?? (await rules(type.name))
    if (analyzer !== undefined) planned.push({ type, analyzer })
    else if (names === undefined) unable.push(type)
    else throw needsModel(type)
  }
  return { planned, unable }
}

export async function knownTypes(store: Store, now: number): Promise<AnalysisType[]> {
  const types = await readTypes(store.read)
  if (BUILT_IN_TYPES.every(({ name }) => types.some((type) => type.name === name))) return types
  await store.write((tx) => seedTypes(tx, now))
  return readTypes(store.read)
}

export function unknownType(name: string, types: readonly AnalysisType[]): MnemonicError {
  return unknownValue({ filter: 'type', said: 'no analysis is called', values: [name], known: types.map((type) => type.name) })
}

function needsModel({ name }: AnalysisType): MnemonicError {
  if (name === MEMORY_WRITER)
    return new MnemonicError('USAGE', `${name} is what the writer's agent does, and nothing else`, {
      details: { type: name },
      hint: 'Set agents.defaults.memory.write.mode to agent: mnemonic write then runs it (docs/writer.md).',
    })
  return new MnemonicError('CONFIG_INVALID', `${name} asks a model, and none is configured`, {
    details: { type: name, key: 'analyze.provider' },
    hint: 'Name a provider in config.yaml: analyze.provider and analyze.model (docs/configuration.md).',
  })
}

export interface WaitingType {
  readonly type: string
  readonly implementation: string
  readonly episodes: number
  readonly estimate: CostEstimate
}

const FREE: CostEstimate = { calls: 0, tokens: 0, usd: 0 }
/** With a limit, each type gets its share of the newest episodes. */
export async function estimateRuns(
  store: Store,
  planned: readonly Planned[],
  { model, limit = Number.POSITIVE_INFINITY, clock, ...options }: RunOptions & { readonly model?: ModelProvider | undefined },
): Promise<WaitingType[]> {
  const counted: { readonly plan: Planned; readonly asksModel: boolean; readonly episodes: number; readonly waiting: EpisodeToRead[] }[] =
    []
  for (const plan of planned) {
    const asksModel = model !== undefined && plan.analyzer.implementation !== RULES
    let episodes = 0
    const waiting: EpisodeToRead[] = []
    for await (const page of waitingEpisodes(store.read, { ...plan, now: clock(), ...options })) {
      episodes += page.length
      if (asksModel) waiting.push(...page)
    }
    counted.push({ plan, asksModel, episodes, waiting })
  }
  const all = counted.reduce((sum, { episodes }) => sum + episodes, 0)
  const share = all > limit ? limit / all : 1
  const estimate = model?.estimator()
  const types: WaitingType[] = []
  for (const { plan, asksModel, episodes, waiting } of counted) {
    const some = Math.round(episodes * share)
    const { type, analyzer } = plan
    const cost = asksModel && estimate !== undefined ? await estimate(type, waiting.slice(0, some)) : FREE
    types.push({ type: type.name, implementation: analyzer.implementation, episodes: some, estimate: cost })
  }
  return types
}
