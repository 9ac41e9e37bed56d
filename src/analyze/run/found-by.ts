/** Which run found something, and where. */
import type { Extracted } from '../../graph/extracted.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'

export interface FoundBy {
  /** The id of the run. */
  readonly run: string
  readonly type: string
  readonly episode: EpisodeText
  readonly now: number
}

/** Replaces what a run gave the graph; with nothing it takes back what it gave. Gives the id of each entity by its `ref`. */
export type GraphWriter = (tx: WriteTx, by: FoundBy, extracted: Extracted) => Promise<ReadonlyMap<string, string>>
