/** Port of the configured model: supplies model analyses. Calls no model itself. */
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeToRead } from './load-episodes.ts'

export interface CostEstimate {
  readonly calls: number
  readonly tokens: number
  readonly usd: number | null
}

export interface ModelProvider {
  readonly implementation: string
  analyzer(type: AnalysisType): Promise<Analyzer | undefined>
  /** Prompt and model of a built-in type; undefined if rules do it. */
  asks?(name: string): { readonly prompt: string; readonly model: string } | undefined
  estimator(): (type: AnalysisType, waiting: readonly EpisodeToRead[]) => Promise<CostEstimate>
  close?(): Promise<void>
}
