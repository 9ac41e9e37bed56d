/** What an episode is about, by rules, each topic with the first place that names it. */
import type { Span } from '../../graph/extracted.ts'
import type { Analyzer, EpisodeMessage } from '../analyzer.ts'
import { topicTags } from '../topics.ts'
import { spokenText } from './spoken-text.ts'

export const TOPICS: Analyzer = {
  ...{ name: 'topics', version: 'topics-1', implementation: 'rules', reads: 'speech' },
  analyze(episode) {
    const topics = topicTags(spokenText(episode))
    const found = topics.flatMap((value) => {
      const span = placeOf(value, episode.messages)
      return span === undefined ? [] : [{ type: 'topic', value, confidence: 0.7, span }]
    })
    return { output: { topics }, facets: found }
  },
}

/** Further a tag is not looked for: it is made of how an episode begins. */
const LONGEST = 12_000

/** Its words stand there one after the other, the last perhaps in the plural. */
function placeOf(tag: string, messages: readonly EpisodeMessage[]): Span | undefined {
  const words = tag.split('-').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`${words.join('[\\s_-]{1,8}').replace(/y$/, '(?:y|ies)')}(?:e?s)?`, 'i')
  for (const { message, text } of messages) {
    const match = pattern.exec(text.length > LONGEST ? text.slice(0, LONGEST) : text)
    if (match !== null) return { message, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}
