/** A short label and one to three sentences of a turn, or of a conversation of people, by rules. */
import { clip } from '../../core/text.ts'
import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import { fileReferences } from './file-references.ts'

/** Grows with every change of what `labelOf` says: turns are labelled again. */
const VERSION = 'labels-1'

/** What an analysis of this type gives, by rules or by a model: the columns of the turn. */
export interface LabelOutput {
  /** Empty where there is nothing to say. */
  readonly label: string
  readonly summary: string | null
}

export const TURN_LABELS: Analyzer = {
  ...{ name: 'turn_labels', version: VERSION, implementation: 'rules', reads: 'calls' },
  analyze(episode) {
    const output = labelOf(episode)
    return { output, facets: fileReferences(episode), ...(episode.definition === 'agent_turn' ? {} : { summary: output.summary }) }
  },
}

/** The topics among what was found, the first ones first. */
export function topicsOf({ facets }: Pick<Findings, 'facets'>): string[] {
  return [...new Set(facets.flatMap(({ type, value }) => (type === 'topic' ? [value] : [])))]
}

const LONGEST_LABEL = 80
const LONGEST_PART = 160
/** A line needs how a text begins. */
const READ = 1_000

export function labelOf(episode: EpisodeText): LabelOutput {
  const lineOf = (by: 'person' | 'agent') => {
    for (const { by: who, text } of episode.messages) {
      const line = who === by ? plainLine(text.slice(0, READ), LONGEST_PART) : ''
      if (line !== '') return line
    }
    return ''
  }
  const [asked, answered] = [lineOf('person'), lineOf('agent')]
  const summary = [asked, answered].filter((line) => line !== '').join(' ')
  return { label: clip(asked || answered, LONGEST_LABEL), summary: summary || null }
}
