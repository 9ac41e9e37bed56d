/** The analyses that every database has, and on which episodes each runs: one text has one analysis of a kind. */
import type { AnalysisName } from '../analyzer.ts'
import { CHUNK_CONTEXT } from '../chunk-context.ts'

export interface BuiltInType {
  readonly name: AnalysisName
  readonly outputType: 'structured' | 'freeform'
  /** The names of episode definitions. */
  readonly definitions: readonly string[]
}

/** Conversations, mail threads and meetings. */
const OF_PEOPLE = ['time_gap_90min', 'gmail_thread', 'calendar_event']

export const BUILT_IN_TYPES: readonly BuiltInType[] = [
  { name: 'turn_labels', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE] },
  { name: 'topics', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE] },
  { name: 'decisions', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE] },
  { name: 'entity_extraction', outputType: 'structured', definitions: ['aix_turn', ...OF_PEOPLE] },
  { name: 'memory_extraction', outputType: 'structured', definitions: ['aix_turn', ...OF_PEOPLE] },
  { name: 'session_summary', outputType: 'structured', definitions: ['agent_session'] },
  { name: 'memory_sentence_v1', outputType: 'freeform', definitions: ['agent_session'] },
  { name: CHUNK_CONTEXT, outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE] },
]

export function isBuiltIn(name: string): boolean {
  return BUILT_IN_TYPES.some((type) => type.name === name)
}
