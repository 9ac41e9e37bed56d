import type { Extracted } from '../../graph/extracted.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'

export interface FoundBy {
  readonly run: string
  readonly type: string
  readonly episode: EpisodeText
  readonly now: number
}

/** Replaces a run's contribution to the graph; an empty one removes it. Returns entity ids by `ref`. */
export type GraphWriter = (tx: WriteTx, by: FoundBy, extracted: Extracted) => Promise<ReadonlyMap<string, string>>
