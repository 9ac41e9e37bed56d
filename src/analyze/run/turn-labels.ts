/** A short label and one to three sentences of a turn, or of a conversation of people, by rules. */
import { clip } from '../../core/text.ts'
import type { Analyzer, EpisodeText } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import { topicTags } from '../topics.ts'
import { spokenText } from './spoken-text.ts'

/** What an analysis of this type gives, by rules or by a model: the columns of the turn. */
export interface LabelOutput {
  /** Empty where there is nothing to say. */
  readonly label: string
  readonly summary: string | null
  readonly topics: readonly string[]
}

export const TURN_LABELS: Analyzer = {
  ...{ name: 'turn_labels', version: 'labels-1', implementation: 'rules', reads: 'speech' },
  analyze(episode) {
    const output = labelOf(episode)
    return { output, facets: [], ...(episode.definition === 'agent_turn' ? {} : { summary: output.summary }) }
  },
}

const LONGEST_LABEL = 80
const LONGEST_PART = 160

export function labelOf(episode: EpisodeText): LabelOutput {
  const lineOf = (by: 'person' | 'agent') =>
    episode.messages
      .flatMap(({ by: who, text }) => (who === by ? [plainLine(text.slice(0, 4_000), LONGEST_PART)] : []))
      .find((line) => line !== '') ?? ''
  const [asked, answered] = [lineOf('person'), lineOf('agent')]
  const summary = [asked, answered].filter((line) => line !== '').join(' ')
  return { label: clip(asked || answered, LONGEST_LABEL), summary: summary || null, topics: topicTags(spokenText(episode)) }
}
