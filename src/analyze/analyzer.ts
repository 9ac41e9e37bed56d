/**
 * The port of an analysis: reads one episode, says what it found. Rules and models stand behind it alike. What runs when, what is stored and what
 * is repeated is not its business.
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

/** One message of an episode. Its text is that of the ledger: who sends it elsewhere redacts it first. */
export interface EpisodeMessage extends SaidText {
  readonly timestamp: number
  readonly trust: Trust
  /** Who says it: a normalized handle where the source has one, and the name that the source gives. */
  readonly handle: string | null
  readonly speaker: string | null
  readonly isOwner: boolean
  /** The turn that it belongs to, in the agents ledger. */
  readonly turn: string | null
}

/** A tool call of an agent's turn or session, in the order of the calls. */
export interface EpisodeCall extends ToolCall {
  readonly id: string
  readonly message: string | null
  readonly turn: string | null
}

/** Others that took part, by header or handle, whether or not they said something: recipients, attendees, members of a chat. */
export interface EpisodePerson {
  readonly handle: string
  readonly name: string | null
  readonly role: string
  readonly message: string
}

export interface EpisodeText {
  readonly id: string
  /** The name of its definition: `agent_turn`, `gmail_thread`, … */
  readonly definition: string
  readonly channel: string | null
  readonly thread: string | null
  readonly agentId: string
  /** The root of the repository, else the folder. */
  readonly project: string | null
  /** Of the session, where the episode is one. */
  readonly title?: string | null
  readonly startTime: number
  readonly endTime: number
  readonly trust: Trust
  readonly messages: readonly EpisodeMessage[]
  readonly people: readonly EpisodePerson[]
  /** Only for an analysis that reads `calls`. What a call gave is here only where it can say what came of it. */
  readonly calls: readonly EpisodeCall[]
  /** It is longer than what an analysis may hold in memory: what follows is not here, or calls are here without what they gave. */
  readonly cut: boolean
}

export interface FoundFacet {
  /** `topic`, `decision`, `action_item`, `entity`, `person`, `file_reference`, `outcome`, … */
  readonly type: string
  readonly value: string
  readonly confidence: number
  readonly span?: Span
  /** The message whose tool call shows it, where no words say it. */
  readonly message?: string
  /** The `ref` of a person in the graph of the same findings: what is written has that entity's id. */
  readonly person?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface Findings {
  /** Kept as JSON with the run. */
  readonly output: unknown
  readonly facets: readonly FoundFacet[]
  /** An analysis that adds nothing to the graph leaves it out; one that found nothing gives empty lists. */
  readonly graph?: Extracted
  /** The episode as a whole in one to three sentences, kept with it; of a turn its label says it. */
  readonly summary?: string | null
  /** Become derived events. An analysis that states nothing leaves it out. */
  readonly statements?: readonly Statement[]
  /** What answered in the end, and why, where that is not what was asked: a model that failed and the rules that stood in. */
  readonly implementation?: string
  readonly note?: string
}

export interface Analyzer {
  readonly name: AnalysisName | (string & {})
  /** What it finds may differ only where this differs: another one makes a run stale. */
  readonly version: string
  /** `rules`, or provider and model. */
  readonly implementation: string
  /** Whether it wants tool calls, which are much more to read than speech. */
  readonly reads: 'speech' | 'calls'
  /** Never throws for what a text holds. The same text gives the same findings where the implementation is rules. */
  analyze(episode: EpisodeText, signal?: AbortSignal): Promise<Findings> | Findings
}
