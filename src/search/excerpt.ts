/** The two or three sentences of what was said that answer a question. Pure. */
import { estimateTokens } from '../core/estimate-tokens.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { heldIn, type Sought, type SoughtWord, soughtWord } from './sought-words.ts'

/** What one side said; the label is empty where the text names its speakers itself. */
export interface Said {
  readonly label: string
  readonly text: string
}

/** Two or three sentences. */
export const EXCERPT_TOKENS = 64
/** By rank: what is needed most often stands in the first hit, and is worth more room there. */
const BY_RANK = [160, 96, 48, 32]

/** Of one hit of each session. */
const LEAST_OF_SESSION = 44

export interface HitPlace {
  /** From 0. */
  readonly rank: number
  /** It is of the first hit's session, and later: what was settled in the end stands there. */
  readonly isSequel?: boolean
  /** It stands for its session. */
  readonly forSession?: boolean
}

export function excerptTokens({ rank, isSequel = false, forSession = false }: HitPlace): number {
  const tokens = BY_RANK[Math.min(rank, BY_RANK.length - 1)] as number
  return Math.max(tokens, isSequel ? EXCERPT_TOKENS : 0, forSession ? LEAST_OF_SESSION : 0)
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
  /** It stands beside what is in the excerpt: so much of its own worth more. */
  beside: 0.5,
  /** What stands behind a sentence explains it rather than what stands before it. */
  next: 0.05,
  /** The text begins in the middle of it. */
  rest: 0.3,
} as const
/** So far above may a heading stand. */
const LEAD_DISTANCE = 6
/** Fewer tokens say less. */
const WHOLE_SENTENCE = 12
/** A run of sentences has at least so many tokens, where there are so many beside each other: less of a text is a shard of it. */
const LEAST_RUN = 24
/** For so many tokens there is one run. */
const A_RUN = 45

export interface ExcerptOptions {
  /** What the reader of the excerpt has already: left out of a text that does not fit. */
  readonly shown?: string | undefined
  /** Single sentences that answer rather than runs of them: more facts in little room, for a reader that shows many pieces. */
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
  /** The same for the parts of a long sentence. */
  readonly sentence: number
  /** The part of a long sentence goes on behind it. */
  readonly goesOn: boolean
  /** The text begins in the middle of it. */
  readonly isRest: boolean
  /** Which of the words sought it holds. */
  readonly held: readonly number[]
}

/**
 * At most `budget` tokens without the labels, in the order of the text: few runs of sentences that follow each other, around those that answer. …
 * stands where something is left out between two runs.
 */
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

/** Its sentences, in order; nods, which nobody misses, are left out, and so are brackets that stand between no lines of code. */
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

/** The best sentence with what stands beside it, then the one that adds most, while there is room. */
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
    // What another one is worth changes only where it holds the same words, or is of the same sentence.
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

  /** A run of one short sentence says little: what stands beside it comes along. */
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

/** How many places of a text an excerpt is from. */
function runsIn(budget: number): number {
  if (budget >= 2 * A_RUN) return Math.floor(budget / A_RUN)
  return budget >= A_RUN + LEAST_RUN / 2 ? 2 : 1
}

/** How much of its words' worth a sentence of that form has. */
function shareOf({ text, kind, held, isRest }: Place): number {
  if (held.length === 0 && saysNothing(text)) return 0
  if (isRest) return WORTH.rest
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
  const labels = [...ROLE_LABELS, ...parts.flatMap(({ label }) => (label === '' ? [] : [label.trimEnd()]))]
  // Without a label the text itself names its speakers, or has none.
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

/** Only a label begins a line with one of these, or with a label of its own: a line of the text that does is indented. */
export const ROLE_LABELS = ['User:', 'Assistant:', 'Summary:', 'Answers:'] as const

/** Code begins on a line of its own, where its indentation shows. */
function labelled(label: string, { kind }: Place): string {
  return label !== '' && kind === 'code' ? `${label}\n` : label
}

/** Of a sentence that goes on. */
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

/** A longer word is taken in parts. */
function wordsUpTo(length: number): RegExp {
  const known = patterns.get(length) ?? new RegExp(`\\S{1,${length}}\\s*`, 'gu')
  patterns.set(length, known)
  return known
}

const REASON =
  /\b(?:because|since|so that|instead|fix(?:ed)?|root cause|caused?|decided?|should|must|never|always|only|means|fails?|not|doesn't|don't)\b/i

/** "Good point. Now let me check …", "I'll also run …": only what agents do with code. What a person will do is a fact. */
const ANNOUNCES =
  /^(?:[\w'’ ]{1,24}[,.!—–-]\s+)?(?:(?:now|next|first|then|finally|also|so)[,:]?\s+)*(?:let me\b|let['’]s (?:check|look|see|run|verify|read)\b|(?:i['’]ll|i will|i(?:['’]m| am) going to|i (?:need|want) to|i should)\s+(?:(?:now|also|first|just|then)\s+)*(?:check|look|read|run|re-?run|verify|examine|explore|investigate|inspect|review|search|grep|see|find|fix|update|add|create|write|test)\b)/i

/** "Increased the timeout", "2. `retry.go`: Added …", "Root cause: …". */
const DEED =
  /^(?:\d{1,2}[.)]\s*|[-•✓✅]\s*|`[^`]{1,80}`\s*[-—–:]\s*|[A-Z][\w ]{0,20}:\s*)?(?:[A-Z][a-z]+ed|Set|Put|Made|Built|Wrote|Bug|Root cause|Problem|Cause|Fix|Issue)\b/

const NODS =
  'done|perfect|great|good(?: (?:point|call|catch))?|clean|found it|all (?:tests )?pass(?:ing|ed)?|yes|no|ok(?:ay)?|excellent|exactly|right|sure|got it|(?:that )?makes sense|committed|pushed|fixed|no issues|all (?:good|clean)'
const NOD = new RegExp(`^\\W*(?:(?:${NODS})\\W+)*(?:${NODS})\\W*$`, 'iu')
/** Where a text names who speaks. */
const SPEAKER = /^[A-Z]\w{0,20}: /
const WORD = /[\p{L}\p{N}]{2}/u

/** Says only what its writer will do next, or nods: whoever reads what came of it misses nothing. */
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

/** A nod, or the signs of a line of code. */
function saysNothing(sentence: string): boolean {
  return !WORD.test(sentence) || NOD.test(sentence.replace(SPEAKER, ''))
}
