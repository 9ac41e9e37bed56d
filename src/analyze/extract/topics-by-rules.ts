/** `topics` by rules. Spoken words come first, then installed packages and the most changed files. */
import { given } from '../../core/given.ts'
import type { Span } from '../../graph/extracted.ts'
import { type Deeds, deedsOnce } from '../../ledgers/deeds/deeds.ts'
import type { Analyzer, EpisodeCall, EpisodeText, FoundFacet } from '../analyzer.ts'
import { identifierOf } from '../identifier-words.ts'
import { topicTags } from '../topics.ts'
import { identifiersIn } from './identifiers.ts'
import { saidByThemselves } from './own-speech.ts'

const MOST = 5
const MOST_OF_CALLS = 2
const OFTEN = 2

export const TOPICS_BY_RULES: Analyzer = {
  ...{ name: 'topics', version: 'topics-2', implementation: 'rules', reads: 'calls' },
  analyze(episode) {
    const talked = topicTags(saidIn(episode)).map((topic) => ({ topic, confidence: 0.7 }))
    const deeds = episode.calls.map((call): CallDeeds => {
      const { commands, files } = deedsOnce(call)
      return { commands, files, message: call.message }
    })
    const done = [...packagesOf(deeds), ...filesOf(deeds)].map((found) => ({ ...found, confidence: 0.8 }))
    const taken = new Set<string>()
    const once = ({ topic }: { topic: string }) => !taken.has(topic) && taken.add(topic) !== undefined
    const topics: Topic[] = [...talked.filter(once), ...done.filter(once).slice(0, MOST_OF_CALLS)].slice(0, MOST)
    const messages = episode.messages.map(({ message, text }) => ({ message, text, lower: text.toLowerCase() }))
    const facets = topics.flatMap(({ topic, confidence, message }): FoundFacet[] => {
      const span = placeOf(topic, messages)
      // A topic without a source message could not be forgotten with it.
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
  readonly message?: string | null
}

type OfCall = Omit<Topic, 'confidence'>
type CallDeeds = Pick<Deeds, 'commands' | 'files'> & Pick<EpisodeCall, 'message'>

function packagesOf(deeds: readonly CallDeeds[]): OfCall[] {
  return deeds.flatMap(({ commands, message }) =>
    commands.flatMap((command) =>
      identifiersIn(command, { files: false, mails: false })
        .filter(({ alias }) => alias.type === 'package')
        .map(({ name }) => ({ topic: name.toLowerCase(), message })),
    ),
  )
}

function filesOf(deeds: readonly CallDeeds[]): OfCall[] {
  const found = new Map<string, { count: number; message: string | null }>()
  for (const { files, message } of deeds)
    for (const { path, action } of files) {
      const stem = action === 'edit' || action === 'create' ? identifierOf(path, path.lastIndexOf('/') + 1, path.length) : undefined
      if (stem !== undefined) found.set(stem, { count: (found.get(stem)?.count ?? 0) + 1, message })
    }
  return [...found]
    .filter(([, { count }]) => count >= OFTEN)
    .sort(([a, n], [b, m]) => m.count - n.count || (a < b ? -1 : 1))
    .map(([topic, { message }]) => ({ topic, message }))
}

interface Searched {
  readonly message: string
  readonly text: string
  readonly lower: string
}

const LETTER_BEFORE = /[\p{L}\d]$/u
const LETTER_AFTER = /^[\p{L}\d]/u
const PLAIN_TOPIC = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

function placeOf(topic: string, messages: readonly Searched[]): Span | undefined {
  const endAt = PLAIN_TOPIC.test(topic) ? plainEnd(topic) : patternEnd(topic)
  const first = (topic.split('-', 1)[0] ?? '').replace(/y$/, '').toLowerCase()
  for (const { message, text, lower } of messages) {
    // Lowercasing may change the length; then every position is tried.
    const isSame = first !== '' && lower.length === text.length
    const next = (from: number) => (isSame ? lower.indexOf(first, from) : from < text.length ? from : -1)
    for (let start = next(0); start !== -1; start = next(start + 1)) {
      const end = endAt(text, start)
      if (end <= start || LETTER_BEFORE.test(text.slice(Math.max(0, start - 2), start))) continue
      if (!LETTER_AFTER.test(text.slice(end, end + 2))) return { message, start, end }
    }
  }
  return undefined
}

type EndAt = (text: string, start: number) => number

function patternEnd(topic: string): EndAt {
  const words = topic.split('-').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/y$/, '(?:y|ie)'))
  // Boundaries are checked separately: a Unicode case-insensitive pattern compiles too slowly.
  const pattern = new RegExp(`${words.join('[\\s_-]*')}(?:e?s)?`, 'iy')
  return (text, start) => {
    pattern.lastIndex = start
    const found = pattern.exec(text)
    return found === null ? -1 : start + found[0].length
  }
}

const BETWEEN = /[\s_-]/

/** For ASCII topics, compiling a pattern costs more than the search. */
function plainEnd(topic: string): EndAt {
  const words = topic.split('-')
  return (text, start) => {
    let at = start
    for (const [n, word] of words.entries()) {
      if (n > 0) while (at < text.length && BETWEEN.test(text[at] as string)) at += 1
      if (isAt(word, text, at)) at += word.length
      else if (word.endsWith('y') && isAt(`${word.slice(0, -1)}ie`, text, at)) at += word.length + 1
      else return -1
    }
    return isAt('es', text, at) ? at + 2 : isAt('s', text, at) ? at + 1 : at
  }
}

function isAt(word: string, text: string, at: number): boolean {
  for (let i = 0; i < word.length; i++) {
    const [code, wanted] = [text.charCodeAt(at + i), word.charCodeAt(i)]
    if (code !== wanted && !(wanted >= 97 && code === wanted - 32)) return false
  }
  return true
}
