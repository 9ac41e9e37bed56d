import { clip } from '../../core/text.ts'
import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { episodeSummary } from '../outcome/episode-words.ts'
import { outcomeOf } from '../outcome/outcome.ts'
import { turnLabel, turnSummary } from '../outcome/turn-words.ts'
import { fileReferences } from './file-references.ts'

/** Bump if `labelOf` changes: turns are relabelled. */
const VERSION = 'labels-3'

/** Output by rules or model; becomes columns of the turn. */
export interface LabelOutput {
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

export function topicsOf({ facets }: Pick<Findings, 'facets'>): string[] {
  return [...new Set(facets.flatMap(({ type, value }) => (type === 'topic' ? [value] : [])))]
}

export function labelOf(episode: EpisodeText): LabelOutput {
  if (episode.definition !== 'agent_turn') {
    const summary = episodeSummary(episode)?.text ?? null
    return { label: clip(summary ?? '', LONGEST_LABEL), summary }
  }
  const outcome = outcomeOf(episode, { brief: true })
  return { label: turnLabel(outcome)?.text ?? '', summary: turnSummary(outcome)?.text ?? null }
}

const LONGEST_LABEL = 80
