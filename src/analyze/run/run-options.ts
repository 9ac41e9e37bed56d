import type { Clock } from '../../core/clock.ts'
import type { OnProgress } from '../../core/progress.ts'
import type { GroupingRule } from '../../episodes/definitions.ts'
import type { Lease } from '../../store/lease.ts'
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeTexts } from './episode-texts.ts'
import type { GraphWriter } from './found-by.ts'

export interface Planned {
  readonly type: AnalysisType
  readonly analyzer: Analyzer
}

export interface RunOptions {
  readonly clock: Clock
  readonly rules: readonly GroupingRule[]
  readonly writeGraph?: GraphWriter | undefined
  readonly agentId?: string | undefined
  /** Agents whose turns get label, summary and topics; default all. */
  readonly isLabelled?: ((agentId: string) => boolean) | undefined
  readonly since?: number | undefined
  readonly threads?: readonly string[] | undefined
  readonly retry?: boolean | undefined
  readonly episodes?: readonly string[] | undefined
  readonly texts?: EpisodeTexts | undefined
  readonly limit?: number | undefined
  readonly jobs?: number | undefined
  /** Stops the job if lost. */
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  readonly total?: number | undefined
}
