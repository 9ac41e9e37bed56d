/** The port of the model that is configured: gives analyses their form that asks it. Nothing here calls one. */
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'

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
  /** Of so many episodes that hold so much text, in UTF-16 units. */
  estimate(type: AnalysisType, waiting: { readonly episodes: number; readonly units: number }): CostEstimate
  /** Releases what it holds. */
  close?(): Promise<void>
}
