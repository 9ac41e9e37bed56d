import type { Analyzer, EpisodeText, FoundFacet } from '../analyzer.ts'
import { MEMORY_SENTENCE, memorySentence, type SentenceInput } from '../memory-sentence.ts'
import { SESSION_SUMMARY, type SessionSummary, sessionSummary } from '../session-summary.ts'
import type { Outcome, Source } from './deed.ts'
import { episodeSummary } from './episode-words.ts'
import { outcomeOf } from './outcome.ts'

export const SUMMARY_BY_RULES: Analyzer = {
  ...SESSION_SUMMARY,
  implementation: 'rules',
  reads: 'calls',
  analyze(episode) {
    const outcome = outcomeOf(episode)
    return { output: summaryOf(episode, outcome), facets: facetsOf(outcome), summary: episodeSummary(episode, outcome)?.text ?? null }
  },
}

export const SENTENCE_BY_RULES: Analyzer = {
  ...MEMORY_SENTENCE,
  implementation: 'rules',
  reads: 'calls',
  analyze(episode) {
    return { output: memorySentence(sentenceInput(episode)), facets: [] }
  },
}

export function sentenceInputOf({ project, messages }: EpisodeText, summary: SessionSummary, toolCalls: number): SentenceInput {
  return { kind: 'session', project, turns: new Set(messages.map(({ turn }) => turn)).size, toolCalls, summary }
}

export function sentenceInput(episode: EpisodeText): SentenceInput {
  const outcome = outcomeOf(episode)
  return sentenceInputOf(episode, summaryOf(episode, outcome), outcome.calls)
}

function summaryOf({ title = null, trust }: EpisodeText, outcome: Outcome): SessionSummary {
  return sessionSummary({ title, trust }, outcome)
}

const MOST_FACETS = 60

function placeOf({ message, start, end }: Source): Pick<FoundFacet, 'message' | 'span'> {
  if (message === '') return {}
  return start === undefined || end === undefined ? { message } : { span: { message, start, end } }
}

/** A deed cites the message of its call and has no span. */
function facetsOf({ pulls, commits, issues, files }: Outcome): FoundFacet[] {
  const facet = (type: string, value: string, source: Source, kind: string): FoundFacet => ({
    ...{ type, value, confidence: 1, metadata: { kind, call: source.call } },
    ...placeOf(source),
  })
  return [
    ...pulls.map(({ text, number, action, source }) =>
      facet('outcome', `${action} ${[number, text].filter(Boolean).join(' ')}`, source, 'pull_request'),
    ),
    ...commits.map(({ text, source }) => facet('outcome', text, source, 'commit')),
    ...issues.map(({ text, source }) => facet('outcome', text, source, 'issue')),
    ...files.map(({ path, source }) => facet('file_reference', path, source, 'changed')),
  ].slice(0, MOST_FACETS)
}
