/** The two or three sentences of what was said that answer a question. Pure. */
import { estimateTokens } from '../core/estimate-tokens.ts'
import { announces, givesReason, saysNothing, statesDeed } from './sentence-form.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { heldIn, type Sought, type SoughtWord, soughtWord } from './sought-words.ts'

/** What one side said; the label is empty where the text names its speakers itself. */
export interface Said {
  readonly label: string
  readonly text: string
}

/** Two or three sentences. */
export const EXCERPT_TOKENS = 64
/** By rank: what is needed most often stands in the first hit, and is worth more room there; ten take no more than with 64 each. */
const BY_RANK = [128, EXCERPT_TOKENS, EXCERPT_TOKENS, 44]

/** From 0. */
export function excerptTokens(rank: number): number {
  return BY_RANK[Math.min(rank, BY_RANK.length - 1)] as number
}
/** A longer sentence is taken in parts: alone it would leave no room for what answers. */
const LONGEST = 36

/** Shares of a sentence's own worth. The coding questions gave the orders of magnitude; finer steps made no difference there. */
const WORTH = {
  /** The question before it, or the sentence behind it, holds the words. */
  answer: 0.25,
  behind: 0.15,
  /** The heading or question above it does. */
  lead: 0.5,
  /** It asks, and answers nothing; or it is a heading, or a line of code. */
  question: 0.35,
  heading: 0.3,
  code: 0.8,
  /** It says what the writer will do next. */
  announcement: 0.4,
  /** It says why, or what instead; or what was done. */
  reason: 0.1,
  deed: 0.1,
  /** The sentence is cut, and another part of it is in the excerpt. */
  begun: 0.1,
  /** A word that the excerpt already has. */
  again: 0.4,
  /** Where nothing else tells, the first sentences. */
  first: 0.02,
} as const
/** So far above may a heading stand. */
const LEAD_DISTANCE = 6
/** Fewer tokens say less. */
const WHOLE_SENTENCE = 12

interface Piece {
  readonly text: string
  readonly tokens: number
}

interface Place extends Piece {
  readonly kind: Sentence['kind']
  readonly part: number
  /** The same for the parts of a long sentence. */
  readonly sentence: number
  /** Which of the words sought it holds. */
  readonly held: readonly number[]
}

/**
 * At most `budget` tokens without the labels, in the order of the text; … stands where something is left out between two sentences. Of a text
 * that does not fit, nothing that stands in `shown`: whoever reads it has that already.
 */
export function excerptOf(parts: readonly Said[], sought: readonly Sought[], budget = EXCERPT_TOKENS, shown = ''): string {
  const words = sought.flatMap(soughtWord)
  const places: Place[] = []
  for (const [part, { text }] of parts.entries()) {
    for (const { text: whole, kind } of sentencesOf(text)) {
      const sentence = places.length
      for (const piece of cutLong(whole, Math.min(LONGEST, budget)))
        places.push({ text: piece.text, tokens: piece.tokens, kind, part, sentence, held: heldIn(piece.text, words) })
    }
  }
  const all = places.reduce((sum, { tokens }) => sum + tokens, 0)
  const chosen = all <= budget ? [...places.keys()] : choose(places, words, { budget, shown })
  return composed(places, chosen, parts)
}

/** The best sentence, then the one that adds most to it, while there is room. */
function choose(
  places: readonly Place[],
  words: readonly SoughtWord[],
  { budget, shown }: { readonly budget: number; readonly shown: string },
): number[] {
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  const weightOf = (n: number) => (words[n]?.weight ?? 0) / total
  const own = places.map(({ held }) => held.reduce((sum, n) => sum + weightOf(n), 0))
  const around = places.map((_, i) => surroundings(places, own, i))
  const base = places.map(
    ({ text }, i) => (around[i] as number) + (givesReason(text) ? WORTH.reason : 0) + (statesDeed(text) ? WORTH.deed : 0),
  )
  const shares = places.map(shareOf)
  const times = new Map<number, number>()
  const begun = new Set<number>()
  const worthOf = ({ tokens, held, sentence }: Place, i: number) => {
    const fresh = held.reduce((sum, n) => sum + weightOf(n) * WORTH.again ** (times.get(n) ?? 0), 0)
    const said = fresh + (base[i] as number) + (begun.has(sentence) ? WORTH.begun : 0)
    return (shares[i] as number) * said * Math.min(1, tokens / WHOLE_SENTENCE) ** 0.35
  }
  const worths = Float64Array.from(places, worthOf)
  const known = new Set(places.flatMap(({ text }, i) => (shown.includes(text) ? [i] : [])))
  const chosen = new Set<number>()
  for (let left = budget; ; ) {
    let best = -1
    for (let i = 0; i < worths.length; i++) {
      const most = best < 0 ? 0 : (worths[best] as number)
      if ((worths[i] as number) > most && !chosen.has(i) && !known.has(i) && (places[i] as Place).tokens <= left) best = i
    }
    const place = places[best]
    if (place === undefined) break
    chosen.add(best)
    begun.add(place.sentence)
    left -= place.tokens + 1
    for (const n of place.held) times.set(n, (times.get(n) ?? 0) + 1)
    // What another one is worth changes only where it holds the same words, or is of the same sentence.
    for (const [i, other] of places.entries()) {
      if (other.sentence === place.sentence || other.held.some((n) => place.held.includes(n))) worths[i] = worthOf(other, i)
    }
  }
  return [...chosen].sort((a, b) => a - b)
}

/** How much of its words' worth a sentence of that form has. */
function shareOf({ text, kind, held }: Place): number {
  if (held.length === 0 && saysNothing(text)) return 0
  if (kind !== 'prose') return WORTH[kind]
  return announces(text) ? WORTH.announcement : 1
}

/** What a sentence gets from where it stands. */
function surroundings(places: readonly Place[], own: readonly number[], i: number): number {
  let lead = 0
  for (let j = i - 1; j >= Math.max(0, i - LEAD_DISTANCE); j--) {
    const { kind } = places[j] as Place
    if (kind !== 'heading' && kind !== 'question') continue
    lead = own[j] as number
    break
  }
  const answer = places[i - 1]?.kind === 'question' ? (own[i - 1] as number) : 0
  return WORTH.answer * answer + WORTH.behind * (own[i + 1] ?? 0) + WORTH.lead * lead + WORTH.first / (1 + i)
}

function composed(places: readonly Place[], chosen: readonly number[], parts: readonly Said[]): string {
  let text = ''
  let before = -2
  for (const i of chosen) {
    const { part, text: sentence } = places[i] as Place
    if (places[before]?.part === part) text += `${before === i - 1 ? ' ' : ' … '}${sentence}`
    else text += `${text === '' ? '' : '\n'}${parts[part]?.label ?? ''}${sentence}`
    before = i
  }
  return text
}

function cutLong(sentence: string, most: number): Piece[] {
  const whole = estimateTokens(sentence)
  if (whole <= most) return [{ text: sentence, tokens: whole }]
  const parts: string[] = []
  let part = ''
  let tokens = 0
  for (const word of sentence.match(wordsUpTo(4 * most)) ?? []) {
    const cost = estimateTokens(word)
    if (tokens + cost > most && part !== '') {
      parts.push(part)
      part = ''
      tokens = 0
    }
    part += word
    tokens += cost
  }
  return [...parts, part].flatMap((piece) => {
    const text = piece.trim()
    return text === '' ? [] : [{ text, tokens: estimateTokens(text) }]
  })
}

const patterns = new Map<number, RegExp>()

/** A longer word is taken in parts. */
function wordsUpTo(length: number): RegExp {
  const known = patterns.get(length) ?? new RegExp(`\\S{1,${length}}\\s*`, 'gu')
  patterns.set(length, known)
  return known
}
