/**
 * The analysis `topics` by rules: what an episode is about, in three to five words or names. First what is talked about; then the packages that were
 * installed and the files that were changed most, by the names that they have.
 */
import { given } from '../../core/given.ts'
import type { Span } from '../../graph/extracted.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import type { Analyzer, EpisodeCall, EpisodeMessage, EpisodeText, FoundFacet } from '../analyzer.ts'
import { identifierOf } from '../identifier-words.ts'
import { topicTags } from '../topics.ts'
import { identifiersIn } from './identifiers.ts'
import { saidByThemselves } from './own-speech.ts'

const MOST = 5
const MOST_OF_CALLS = 2
/** A file that was changed once is one of many. */
const OFTEN = 2

export const TOPICS_BY_RULES: Analyzer = {
  ...{ name: 'topics', version: 'topics-2', implementation: 'rules', reads: 'calls' },
  analyze(episode) {
    const talked = topicTags(saidIn(episode)).map((topic) => ({ topic, confidence: 0.7 }))
    const done = [...packagesOf(episode.calls), ...filesOf(episode.calls)].map((found) => ({ ...found, confidence: 0.8 }))
    const taken = new Set<string>()
    const once = ({ topic }: { topic: string }) => !taken.has(topic) && taken.add(topic) !== undefined
    const topics: Topic[] = [...talked.filter(once), ...done.filter(once).slice(0, MOST_OF_CALLS)].slice(0, MOST)
    const facets = topics.flatMap(({ topic, confidence, message }): FoundFacet[] => {
      const span = placeOf(topic, episode.messages)
      // What leads to no message could not go with it.
      if (span === undefined && (message ?? null) === null) return []
      return [{ type: 'topic', value: topic, confidence, ...(span === undefined ? given({ message: message ?? undefined }) : { span }) }]
    })
    return { output: { topics: topics.map(({ topic }) => topic) }, facets }
  },
}

function saidIn({ messages }: EpisodeText): string {
  return messages.map((message) => (message.by === 'person' ? saidByThemselves(message.text) : message.text)).join('\n')
}

interface Topic {
  readonly topic: string
  readonly confidence: number
  /** Of a call that shows it. */
  readonly message?: string | null
}

type OfCall = Omit<Topic, 'confidence'>

function packagesOf(calls: readonly EpisodeCall[]): OfCall[] {
  return calls.flatMap((call) =>
    deedsOf(call).commands.flatMap((command) =>
      identifiersIn(command, { files: false, mails: false })
        .filter(({ alias }) => alias.type === 'package')
        .map(({ name }) => ({ topic: name.toLowerCase(), message: call.message })),
    ),
  )
}

/** The stems of the files that were changed several times, the most often changed first. */
function filesOf(calls: readonly EpisodeCall[]): OfCall[] {
  const found = new Map<string, { count: number; message: string | null }>()
  for (const call of calls)
    for (const { path, action } of deedsOf(call).files) {
      const stem = action === 'edit' || action === 'create' ? identifierOf(path, path.lastIndexOf('/') + 1, path.length) : undefined
      if (stem !== undefined) found.set(stem, { count: (found.get(stem)?.count ?? 0) + 1, message: call.message })
    }
  return [...found]
    .filter(([, { count }]) => count >= OFTEN)
    .sort(([a, n], [b, m]) => m.count - n.count || (a < b ? -1 : 1))
    .map(([topic, { message }]) => ({ topic, message }))
}

/** Where the words of a topic first stand together; undefined where they stand nowhere so. */
function placeOf(topic: string, messages: readonly EpisodeMessage[]): Span | undefined {
  const words = topic.split('-').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/y$/, '(?:y|ie)'))
  const pattern = new RegExp(`(?<![\\p{L}\\d])${words.join('[\\s_-]*')}(?:e?s)?(?![\\p{L}\\d])`, 'iu')
  for (const { message, text } of messages) {
    const found = pattern.exec(text)
    if (found !== null) return { message, start: found.index, end: found.index + found[0].length }
  }
  return undefined
}
