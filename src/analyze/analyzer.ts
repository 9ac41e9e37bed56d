/**
 * Port of an analysis: reads one episode and returns findings. Implemented by rules and by models. Scheduling, storage and retries are
 * elsewhere.
 */
import type { Trust } from '../core/trust.ts'
import type { Extracted, Span } from '../graph/extracted.ts'
import type { ToolCall } from '../ledgers/deeds/deeds.ts'
import type { SaidText, Statement } from './statements/extractor.ts'

export const ANALYSES = [
  'turn_labels',
  'topics',
  'decisions',
  'memory_extraction',
  'entity_extraction',
  'session_summary',
  'memory_sentence_v1',
  'chunk_context',
  'memory_writer',
] as const
export type AnalysisName = (typeof ANALYSES)[number]

/** Text is unredacted: redact it before sending it anywhere. */
export interface EpisodeMessage extends SaidText {
  readonly timestamp: number
  readonly trust: Trust
  readonly handle: string | null
  readonly speaker: string | null
  readonly isOwner: boolean
  readonly turn: string | null
}

export interface EpisodeCall extends ToolCall {
  readonly id: string
  readonly message: string | null
  readonly turn: string | null
}

/** Everyone else who took part, even silently: recipients, attendees, chat members. */
export interface EpisodePerson {
  readonly handle: string
  readonly name: string | null
  readonly role: string
  readonly message: string
}

export interface EpisodeText {
  readonly id: string
  readonly definition: string
  readonly channel: string | null
  readonly thread: string | null
  readonly agentId: string
  readonly project: string | null
  readonly title?: string | null
  readonly startTime: number
  readonly endTime: number
  readonly trust: Trust
  readonly messages: readonly EpisodeMessage[]
  readonly people: readonly EpisodePerson[]
  /** Empty unless the analysis reads `calls`. Results are loaded only if they can show an outcome. */
  readonly calls: readonly EpisodeCall[]
  /** The episode exceeds the memory limit: later messages or the calls' results are missing. */
  readonly cut: boolean
}

export interface FoundFacet {
  /** `topic`, `decision`, `action_item`, `entity`, `person`, `file_reference`, `outcome`, … */
  readonly type: string
  readonly value: string
  readonly confidence: number
  readonly span?: Span
  readonly message?: string
  /** `ref` of a person in `graph`; stored as that entity's id. */
  readonly person?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface Findings {
  readonly output: unknown
  readonly facets: readonly FoundFacet[]
  /** Undefined if the analysis never writes to the graph; empty lists if it found nothing. */
  readonly graph?: Extracted
  /** One to three sentences about the whole episode. A turn uses its label. */
  readonly summary?: string | null
  /** Stored as derived events. Undefined if the analysis makes no statements. */
  readonly statements?: readonly Statement[]
  readonly implementation?: string
  readonly note?: string
}

export interface Analyzer {
  readonly name: AnalysisName | (string & {})
  /** A new version makes earlier runs stale. Must change if findings may differ. */
  readonly version: string
  readonly implementation: string
  /** Calls cost far more to load than speech. */
  readonly reads: 'speech' | 'calls'
  /** Must not throw for any text. Rules must be deterministic. */
  analyze(episode: EpisodeText, signal?: AbortSignal): Promise<Findings> | Findings
}
