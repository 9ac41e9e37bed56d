import { estimateTokens } from '../core/estimate-tokens.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { heldIn, type Sought, type SoughtWord, soughtWord } from './sought-words.ts'

/** `label` is empty if the text names its speakers itself. */
export interface Said {
  readonly label: string
  readonly text: string
}

export const EXCERPT_TOKENS = 64
/** Tokens by rank: the first hit holds the answer most often. */
const BY_RANK = [160, 96, 48, 32]

const LEAST_OF_SESSION = 44

export interface HitPlace {
  readonly rank: number
  /** A later hit of the first hit's session: it may hold the outcome. */
  readonly isSequel?: boolean
  readonly forSession?: boolean
}

export function excerptTokens({ rank, isSequel = false, forSession = false }: HitPlace): number {
  const tokens = BY_RANK[Math.min(rank, BY_RANK.length - 1)] as number
  return Math.max(tokens, isSequel ? EXCERPT_TOKENS : 0, forSession ? LEAST_OF_SESSION : 0)
}
const LONGEST = 36

/** Factors of a sentence's worth. Orders of magnitude from coding questions; finer steps made no difference there. */
const WORTH = {
  /** The question before it, or the sentence after it, holds the words. */
  answer: 0.25,
  behind: 0.15,
  /** The heading or question above it does. */
  lead: 0.5,
  /** Multipliers: these forms answer little. */
  question: 0.35,
  heading: 0.3,
  code: 0.8,
  announcement: 0.4,
  reason: 0.1,
  deed: 0.1,
  /** Another part of the same split sentence is chosen. */
  begun: 0.1,
  /** A word that the excerpt already has. */
  again: 0.4,
  first: 0.02,
  beside: 0.5,
  next: 0.05,
  /** The text begins inside this sentence. */
  rest: 0.3,
} as const
const LEAD_DISTANCE = 6
const WHOLE_SENTENCE = 12
/** Tokens. A shorter run is a fragment. */
const LEAST_RUN = 24
const A_RUN = 45

export interface ExcerptOptions {
  /** Text that the reader already has; skipped if not all fits. */
  readonly shown?: string | undefined
  /** Single sentences instead of runs: more facts in less room. */
  readonly single?: boolean
}

interface Piece {
  readonly text: string
  readonly tokens: number
}

interface Place extends Piece {
  readonly kind: Sentence['kind']
  readonly part: number
  readonly line: number
  readonly sentence: number
  readonly goesOn: boolean
  readonly isRest: boolean
  readonly held: readonly number[]
}

/** At most `budget` tokens without labels, in text order. … marks a gap between runs. */
export function excerptOf(
  parts: readonly Said[],
  sought: readonly Sought[],
  budget = EXCERPT_TOKENS,
  { shown = '', single = false }: ExcerptOptions = {},
): string {
  const words = sought.flatMap(soughtWord)
  const places = parts.flatMap(({ text }, part) => placesIn(text, part, { words, longest: Math.min(LONGEST, budget) }))
  const all = places.reduce((sum, { tokens }) => sum + tokens, 0)
  const chosen = all <= budget ? [...places.keys()] : choose(places, words, { budget, shown, single })
  return composed(places, chosen, parts)
}

function placesIn(text: string, part: number, { words, longest }: { words: readonly SoughtWord[]; longest: number }): Place[] {
  return sentencesOf(text).flatMap(({ text: whole, kind, line }, sentence, all) => {
    const held = heldIn(whole, words)
    const isInCode = all[sentence - 1]?.kind === 'code' && all[sentence + 1]?.kind === 'code'
    if (held.length === 0 && !isInCode && saysNothing(whole)) return []
    const pieces = cutLong(whole, longest)
    return pieces.map(({ text: piece, tokens }, i) => ({
      ...{ text: piece, tokens, kind, part, line, sentence: 1000 * part + sentence, goesOn: i < pieces.length - 1 },
      isRest: sentence === 0 && i === 0 && kind !== 'code' && /^\p{Ll}/u.test(piece),
      held: pieces.length === 1 ? held : heldIn(piece, words),
    }))
  })
}

function choose(
  places: readonly Place[],
  words: readonly SoughtWord[],
  { budget, shown, single }: { readonly budget: number; readonly shown: string; readonly single: boolean },
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
  let left = budget
  let runs = 0
  const isFree = (i: number) => {
    const place = places[i]
    return place !== undefined && !chosen.has(i) && !known.has(i) && place.tokens <= left
  }
  const isBeside = (i: number) =>
    (chosen.has(i - 1) && places[i - 1]?.part === places[i]?.part) || (chosen.has(i + 1) && places[i + 1]?.part === places[i]?.part)
  const take = (i: number) => {
    const place = places[i] as Place
    chosen.add(i)
    begun.add(place.sentence)
    left -= place.tokens + 1
    for (const n of place.held) times.set(n, (times.get(n) ?? 0) + 1)
    // Others change in worth only if they share words or the sentence.
    for (const [j, other] of places.entries()) {
      if (other.sentence === place.sentence || other.held.some((n) => place.held.includes(n))) worths[j] = worthOf(other, j)
    }
  }
  const mostRuns = single ? Infinity : runsIn(budget)
  const besides = single ? 0 : WORTH.beside
  const leastRun = single ? 0 : LEAST_RUN
  for (;;) {
    let best = -1
    let most = 0
    for (let i = 0; i < worths.length; i++) {
      if ((worths[i] as number) * (1 + besides) <= most || !isFree(i)) continue
      const beside = isBeside(i)
      if (!beside && (runs >= mostRuns || (chosen.size > 0 && left < leastRun))) continue
      const worth = (worths[i] as number) * (beside ? 1 + besides : 1)
      if (worth > most) [best, most] = [i, worth]
    }
    if (best < 0) break
    const isSeed = !isBeside(best)
    if (isSeed) runs += 1
    take(best)
    if (isSeed) grow(best)
  }
  return [...chosen].sort((a, b) => a - b)

  function grow(seed: number): void {
    let [from, to] = [seed, seed]
    let tokens = (places[seed] as Place).tokens
    while (tokens < leastRun) {
      const [before, after] = [from - 1, to + 1].map((i) => {
        const place = places[i]
        return place !== undefined && isFree(i) && place.part === places[seed]?.part ? (worths[i] as number) : -1
      }) as [number, number]
      if (before < 0 && after < 0) break
      const next = before > after + WORTH.next ? --from : ++to
      if (!isFree(next)) break
      tokens += (places[next] as Place).tokens
      take(next)
    }
  }
}

function runsIn(budget: number): number {
  if (budget >= 2 * A_RUN) return Math.floor(budget / A_RUN)
  return budget >= A_RUN + LEAST_RUN / 2 ? 2 : 1
}

function shareOf({ text, kind, held, isRest }: Place): number {
  if (held.length === 0 && saysNothing(text)) return 0
  if (isRest) return WORTH.rest
  if (kind !== 'prose') return WORTH[kind]
  return announces(text) ? WORTH.announcement : 1
}

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
  const labels = [...ROLE_LABELS, ...parts.flatMap(({ label }) => (label === '' ? [] : [label.trimEnd()]))]
  // Without a label, the text itself names its speakers.
  const isForged = ({ text: piece, part }: Place) => parts[part]?.label !== '' && labels.some((label) => piece.startsWith(label))
  let text = ''
  let before = -2
  for (const i of chosen) {
    const place = places[i] as Place
    const last = places[before]
    if (last?.part !== place.part) text += `${cutEnd(last)}${text === '' ? '' : '\n'}${labelled(parts[place.part]?.label ?? '', place)}`
    else if (before !== i - 1) text += last.kind === 'code' || place.kind === 'code' ? '\n…\n' : ' … '
    else text += last.line === place.line ? ' ' : '\n'
    text += text.endsWith('\n') && isForged(place) ? ` ${place.text}` : place.text
    before = i
  }
  return text + cutEnd(places[before])
}

/** Only labels may start a line with one of these. Text that starts with a label is indented. */
export const ROLE_LABELS = ['User:', 'Assistant:', 'Summary:', 'Answers:'] as const

function labelled(label: string, { kind }: Place): string {
  return label !== '' && kind === 'code' ? `${label}\n` : label
}

function cutEnd(last: Place | undefined): string {
  return last?.goesOn ? ' …' : ''
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

function wordsUpTo(length: number): RegExp {
  const known = patterns.get(length) ?? new RegExp(`\\S{1,${length}}\\s*`, 'gu')
  patterns.set(length, known)
  return known
}

const REASON =
  /\b(?:because|since|so that|instead|fix(?:ed)?|root cause|caused?|decided?|should|must|never|always|only|means|fails?|not|doesn't|don't)\b/i

/** "Good point. Now let me check …": only phrases of agents about code. A person's plans are facts. */
const ANNOUNCES =
  /^(?:[\w'’ ]{1,24}[,.!—–-]\s+)?(?:(?:now|next|first|then|finally|also|so)[,:]?\s+)*(?:let me\b|let['’]s (?:check|look|see|run|verify|read)\b|(?:i['’]ll|i will|i(?:['’]m| am) going to|i (?:need|want) to|i should)\s+(?:(?:now|also|first|just|then)\s+)*(?:check|look|read|run|re-?run|verify|examine|explore|investigate|inspect|review|search|grep|see|find|fix|update|add|create|write|test)\b)/i

const DEED =
  /^(?:\d{1,2}[.)]\s*|[-•✓✅]\s*|`[^`]{1,80}`\s*[-—–:]\s*|[A-Z][\w ]{0,20}:\s*)?(?:[A-Z][a-z]+ed|Set|Put|Made|Built|Wrote|Bug|Root cause|Problem|Cause|Fix|Issue)\b/

const NODS =
  'done|perfect|great|good(?: (?:point|call|catch))?|clean|found it|all (?:tests )?pass(?:ing|ed)?|yes|no|ok(?:ay)?|excellent|exactly|right|sure|got it|(?:that )?makes sense|committed|pushed|fixed|no issues|all (?:good|clean)'
const NOD = new RegExp(`^\\W*(?:(?:${NODS})\\W+)*(?:${NODS})\\W*$`, 'iu')
const SPEAKER = /^[A-Z]\w{0,20}: /
const WORD = /[\p{L}\p{N}]{2}/u

/** Only announcements and nods: a reader of the outcome misses nothing. */
export function onlyAnnounces(text: string): boolean {
  const sentences = text.length > LONGEST_ANNOUNCEMENT ? [] : sentencesOf(text)
  return (
    sentences.length > 0 && sentences.every(({ text: sentence, kind }) => kind !== 'code' && (announces(sentence) || saysNothing(sentence)))
  )
}

const LONGEST_ANNOUNCEMENT = 300

function givesReason(sentence: string): boolean {
  return REASON.test(sentence)
}

function announces(sentence: string): boolean {
  return ANNOUNCES.test(sentence.replace(SPEAKER, ''))
}

function statesDeed(sentence: string): boolean {
  return DEED.test(sentence.replace(SPEAKER, ''))
}

function saysNothing(sentence: string): boolean {
  return !WORD.test(sentence) || NOD.test(sentence.replace(SPEAKER, ''))
}
