/** What is to run, and how. */
import type { Clock } from '../../core/clock.ts'
import type { OnProgress } from '../../core/progress.ts'
import type { GroupingRule } from '../../episodes/definitions.ts'
import type { Lease } from '../../store/lease.ts'
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeTexts } from './episode-texts.ts'
import type { GraphWriter } from './found-by.ts'

/** A type with what analyses it now. */
export interface Planned {
  readonly type: AnalysisType
  readonly analyzer: Analyzer
}

export interface RunOptions {
  readonly clock: Clock
  readonly rules: readonly GroupingRule[]
  readonly writeGraph?: GraphWriter | undefined
  readonly agentId?: string | undefined
  /** Whether the turns of an agent get label, summary and topics in their rows; absent: those of every agent do. */
  readonly isLabelled?: ((agentId: string) => boolean) | undefined
  readonly since?: number | undefined
  readonly threads?: readonly string[] | undefined
  readonly retry?: boolean | undefined
  /** Only these episodes. */
  readonly episodes?: readonly string[] | undefined
  /** Absent: each analysis reads its episodes from the database. */
  readonly texts?: EpisodeTexts | undefined
  /** Most runs of this call. */
  readonly limit?: number | undefined
  /** Runs of a model at the same time. */
  readonly jobs?: number | undefined
  /** Of a job that must not go on when it is lost. */
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  /** How many runs there are to do, for the progress. */
  readonly total?: number | undefined
}
