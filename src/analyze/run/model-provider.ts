/** The port of the model that is configured: gives analyses their form that asks it. Nothing here calls one. */
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeToRead } from './load-episodes.ts'

/** What runs would cost, before any call. Dollars are null where nobody knows the price. */
export interface CostEstimate {
  readonly calls: number
  readonly tokens: number
  readonly usd: number | null
}

export interface ModelProvider {
  /** Provider and model. */
  readonly implementation: string
  /** Undefined where a model has nothing to say to this type: rules do it. */
  analyzer(type: AnalysisType): Promise<Analyzer | undefined>
  /** What it is told for a built-in type, and its own name; undefined where rules do that. */
  asks?(name: string): { readonly prompt: string; readonly model: string } | undefined
  /** Of one plan, type by type: what several types ask together is counted with the first. */
  estimator(): (type: AnalysisType, waiting: readonly EpisodeToRead[]) => Promise<CostEstimate>
  /** Releases what it holds. */
  close?(): Promise<void>
}
