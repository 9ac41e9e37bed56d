/** Tags a text by rules: one to three kebab-case tags that end in a noun. Never anything like a secret. */
import { NOT_PLURAL, STOP_WORDS, WEAK_WORDS } from './stop-words.ts'
import { mayBeVerb, wordClass } from './word-classes.ts'
import { scanWords, type Word } from './words.ts'

const MOST_TAGS = 3
/** Least share of the best score for further tags. */
const FURTHER = 0.5
/** Below this score, a text has no subject. */
const LEAST = 0.75

export function topicTags(text: string): string[] {
  const words = contentWords(text)
  return choose(words, findCandidates(words), timesOf(words))
}

/** Normalizes a typed tag: `Content Strategies` is `content-strategy`. */
export function topicTag(text: string): string {
  const words = text
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('-')
}

interface ContentWord {
  readonly lower: string
  readonly base: string
  readonly quality: number
  readonly proper: boolean
  readonly identifier: boolean
  readonly noun: boolean
  /** A phrase may begin here but not cross. */
  readonly afterBreak: boolean
}

interface Candidate {
  readonly first: number
  readonly length: number
  count: number
}

function timesOf(words: readonly ContentWord[]): number[] {
  const frequency = new Map<string, number>()
  for (const { base } of words) frequency.set(base, (frequency.get(base) ?? 0) + 1)
  return words.map(({ base }) => Math.min(frequency.get(base) ?? 1, 6))
}

function contentWords(text: string): ContentWord[] {
  const words: ContentWord[] = []
  let dropped = false
  let plural = false
  for (const word of scanWords(text, STOP_WORDS)) {
    const { lower, capital, acronym, identifier, afterBreak } = word
    const proper = capital || acronym
    const kind = identifier || word.ideographs ? 'noun' : wordClass(lower, proper)
    // "We search", "tests pass": ambiguous words are verbs here.
    const verb: boolean = kind === 'verb' || (!proper && (word.verbal || (plural && !afterBreak)) && mayBeVerb(lower))
    const quality: number = verb ? 0 : qualityOf(word)
    if (quality > 0) {
      const base = identifier ? lower : singular(lower)
      words.push({
        lower,
        base,
        quality,
        proper,
        identifier,
        noun: kind === 'noun' && !lower.endsWith('ly'),
        afterBreak: afterBreak || dropped,
      })
    }
    plural = quality > 0 && lower.endsWith('s') && singular(lower) !== lower
    dropped = quality === 0
  }
  return words
}

const NOUN = /(?:tion|sion|ment|ness|ity|ency|ancy|ance|ence|ship|ism|ist|ogy|ics|ery|ture|sis|age|graphy)s?$/
const ADVERB = /[a-z]{3}ly$/
const LONGEST_WORD = 28
const WEAK = 0.35
/** Code names are precise but hard to read. */
const IDENTIFIER = 0.9
/** A general word can qualify a better one: `refresh token`, `job interview`. */
const WEAK_IN_PHRASE = 0.6
const LONGEST_IDEOGRAPHS = 6

function qualityOf({ lower, capital, acronym, ideographs, identifier }: Word): number {
  if (identifier) return IDENTIFIER
  if (ideographs) return lower.length <= LONGEST_IDEOGRAPHS ? 1 : 0
  if (lower.length < 3) return acronym ? 1 : 0
  if (lower.length > LONGEST_WORD) return 0
  if (WEAK_WORDS.has(lower)) return WEAK
  if (acronym || capital) return 1.3
  if (ADVERB.test(lower)) return 0.15
  return NOUN.test(lower) ? 1.25 : 1
}

function findCandidates(words: readonly ContentWord[]): Iterable<Candidate> {
  const candidates = new Map<string, Candidate>()
  for (let i = 0; i < words.length; i++) {
    let key = ''
    for (let end = i; end < i + 3 && end < words.length; end++) {
      const word = words[end] as ContentWord
      if (end > i && word.afterBreak) break
      key = end === i ? word.base : `${key}-${word.base}`
      const known = candidates.get(key)
      if (known) known.count++
      else candidates.set(key, { first: i, length: end + 1 - i, count: 1 })
    }
  }
  return candidates.values()
}

function choose(words: readonly ContentWord[], candidates: Iterable<Candidate>, times: readonly number[]): string[] {
  let scored: { candidate: Candidate; score: number }[] = []
  let best = 0
  for (const candidate of candidates) {
    const score = scoreOf(words, candidate, times)
    if (score < LEAST || score < best * FURTHER) continue
    scored.push({ candidate, score })
    best = Math.max(best, score)
  }
  scored = scored.filter(({ score }) => score >= best * FURTHER)
  scored.sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first || b.candidate.length - a.candidate.length)
  const taken = new Set<string>()
  const tags: string[] = []
  for (const { candidate } of scored) {
    if (tags.length === MOST_TAGS) break
    const phrase = words.slice(candidate.first, candidate.first + candidate.length)
    const parts = phrase.flatMap((word) => word.base.split('-'))
    if (parts.some((part) => taken.has(part))) continue
    for (const part of parts) taken.add(part)
    tags.push(tagOf(phrase))
  }
  return tags
}

function scoreOf(words: readonly ContentWord[], { first, length, count }: Candidate, times: readonly number[]): number {
  const end = first + length - 1
  const last = words[end] as ContentWord
  if (!last.noun || (last.identifier && count < 2)) return 0
  const early = first < 25 ? 1.15 : 1
  // The last word decides: a verb form or adverb makes no phrase.
  let quality = (last.lower.endsWith('ing') ? last.quality * 0.7 : weightOf(last, length)) * 1.5
  let repeated = times[end] as number
  for (let i = first; i < end; i++) {
    quality += weightOf(words[i] as ContentWord, length)
    repeated += times[i] as number
  }
  quality /= length + 0.5
  repeated = Math.sqrt(repeated / length)
  if (length === 1) return quality * early * (repeated * repeated > 1 ? repeated * 0.9 : last.proper ? 0.75 : 0.66)
  // Three words that occur once are probably chance.
  const longer = length === 2 ? 1.15 : count > 1 ? 1.3 : 0.8
  return quality * early * longer * Math.sqrt(Math.min(count, 5)) * (0.6 + 0.4 * repeated)
}

function weightOf({ quality }: ContentWord, length: number): number {
  return length > 1 && quality === WEAK ? WEAK_IN_PHRASE : quality
}

function tagOf(words: readonly ContentWord[]): string {
  return words.map((word, i) => (i === words.length - 1 ? word.base : word.lower)).join('-')
}

function singular(word: string): string {
  if (word.charCodeAt(word.length - 1) !== 115 || word.length < 4 || NOT_PLURAL.has(word) || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (/(?:xes|ches|shes|sses|zzes)$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
