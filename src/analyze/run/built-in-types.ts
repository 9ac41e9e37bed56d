/** Each text gets only one analysis of a kind. */
import type { AnalysisName } from '../analyzer.ts'
import { CHUNK_CONTEXT } from '../chunk-context.ts'
import { MEMORY_WRITER } from '../memory-writer.ts'

export interface BuiltInType {
  readonly name: AnalysisName
  readonly outputType: 'structured' | 'freeform'
  readonly definitions: readonly string[]
  readonly facets: Readonly<Record<string, string>>
}

const OF_PEOPLE = ['time_gap_90min', 'gmail_thread', 'calendar_event']

const TOPIC = { topic: 'what it is about, in one to three words' }
const ENTITY = { person: 'somebody who is named', entity: 'something that is named' }
const STATEMENT = {
  ...{ decision: 'what was decided', action_item: 'what somebody will do', commitment: 'what was arranged' },
  ...{ preference_stated: 'how somebody wants it in general', correction: 'what was wrong before' },
}
const CONTEXT = { chunk_context: 'what a passage is about', likely_question: 'a question that it answers' }

export const BUILT_IN_TYPES: readonly BuiltInType[] = [
  { name: 'turn_labels', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE], facets: {} },
  { name: 'topics', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE], facets: TOPIC },
  { name: 'decisions', outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE], facets: STATEMENT },
  { name: 'entity_extraction', outputType: 'structured', definitions: ['aix_turn', ...OF_PEOPLE], facets: ENTITY },
  { name: 'memory_extraction', outputType: 'structured', definitions: ['aix_turn', ...OF_PEOPLE], facets: {} },
  {
    name: 'session_summary',
    outputType: 'structured',
    definitions: ['agent_session'],
    facets: { outcome: 'what came of it', file_reference: 'a file that was changed' },
  },
  { name: 'memory_sentence_v1', outputType: 'freeform', definitions: ['agent_session'], facets: {} },
  { name: CHUNK_CONTEXT, outputType: 'structured', definitions: ['agent_turn', ...OF_PEOPLE], facets: CONTEXT },
  { name: MEMORY_WRITER, outputType: 'structured', definitions: ['aix_turn'], facets: {} },
]

export function isBuiltIn(name: string): boolean {
  return BUILT_IN_TYPES.some((type) => type.name === name)
}
