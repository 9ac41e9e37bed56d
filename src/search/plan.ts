/** Query text to search terms, their costs, and the speaker asked for. No engine syntax. */
import { extraTerms } from '../index/extra-terms.ts'
import type { Lexical, Term } from '../store/lexical.ts'
import { type People, type Person, personAskedFor } from './person.ts'
import { cutQuery, type Piece, pieces } from './query-text.ts'
import { isEmptyWord, isInterrogative, isStopWord } from './stop-words.ts'

export interface PlannedTerm {
  readonly term: Term
  readonly text: string
  readonly position: number
  readonly kind: 'word' | 'prefix' | 'exact' | 'phrase' | 'part'
  readonly frequency: number
  /** Higher for rare and exact terms. */
  readonly weight: number
}

export interface Plan {
  /** Required: quoted text. */
  readonly all: readonly PlannedTerm[]
  /** One is enough: the rarest, within the budget. */
  readonly any: readonly PlannedTerm[]
  /** Too common to search; they only rank. */
  readonly common: readonly PlannedTerm[]
  readonly pairs: readonly Term[]
  /** Total weight of words that occur nowhere. */
  readonly absent: number
  readonly person: Person | undefined
  /** Only words of a question, or none. */
  readonly empty: boolean
  readonly notes: Readonly<Record<string, number>>
}

/** Chunks that one query may touch: the cost stays flat as the corpus grows. */
const BUDGET = 8000
/** Searched however common, unless the first alone may find ENOUGH. */
const ALWAYS = 2
const ENOUGH = 20
const MOST_TERMS = 64
/** Terms to count: bounds the wait for a pasted file. */
const MOST_COUNTED = 512
const SHORTEST_GUESS = 4
const MOST_PAIRS = 8
const MOST_COMMON = 8
const ENDINGS = ['e', 'ion', 'ing', 'ed', 's', 'te', 'tion', 'ation', 'al', 'er', 'ly', 'y', 'ment', 'ity']
const KIND_WEIGHT = { word: 1, prefix: 0.8, exact: 1.6, phrase: 2, part: 0.35 } as const

interface Draft {
  readonly term: Term
  readonly text: string
  readonly kind: PlannedTerm['kind']
}

export async function planQuery(query: string, lexical: Lexical, all: People): Promise<Plan> {
  const cut = cutQuery(query)
  const asked = await personAskedFor(all, cut.tokens)
  const found = cut.tokens.filter((_token, i) => !asked?.used.has(i)).flatMap(pieces)
  const content = contentOf(found)
  const empty = content.length === 0 && cut.quoted.length === 0
  // A query of filler words is searched for them; "what did Jason say" has none left.
  const kept = empty && !asked ? found : content
  const size = await lexical.size()
  const notes: Record<string, number> = {}
  const drafted = await withoutPartsOfCode(distinct(kept.flatMap(drafts)), content, lexical)
  const { counted, absent } = await count(drafted.slice(0, MOST_COUNTED), lexical, { size, notes })
  const quoted = await Promise.all(
    cut.quoted
      .flatMap(quotedDrafts)
      .slice(0, MOST_TERMS)
      .map(async (draft) => {
        return planned(draft, { frequency: await lexical.documentFrequency(draft.term), size, position: -1 })
      }),
  )
  const { any, common } = spend(counted, notes)
  return { all: quoted, any, common, pairs: pairsOf(content), absent, person: asked?.person, empty, notes }
}

/** Filler is the subject if there is nothing else. A question such as "what did we discuss" has none. */
function contentOf(found: readonly Piece[]): Piece[] {
  const about = found.filter((piece) => piece.kind !== 'word' || !isStopWord(piece.text))
  if (about.length > 0 || found.some((piece) => isInterrogative(piece.text))) return about
  return found.filter((piece) => !isEmptyWord(piece.text))
}

function drafts(piece: Piece): Draft[] {
  const { kind, text, words } = piece
  const single = (list: readonly string[], as: PlannedTerm['kind']): Draft[] =>
    list.filter((word) => word.length > 1 && !isStopWord(word)).map((word) => ({ term: { words: [word] }, text: word, kind: as }))
  switch (kind) {
    case 'word':
      return [{ term: { words }, text, kind: 'word' }]
    case 'prefix':
      return [{ term: { words, prefix: true }, text, kind: 'prefix' }]
    case 'quoted':
      return [{ term: { words }, text, kind: 'phrase' }]
    case 'exact':
      return [{ term: { words }, text, kind: 'exact' }, ...baseName(text), ...single(words.length > 1 ? words : [], 'part')]
    case 'compound':
      return [{ term: { words }, text, kind: 'exact' }, ...single(words, 'word')]
    case 'camel':
      return camel(text, words)
    case 'cjk':
      return cjk(text)
  }
}

const ERROR_CODE = /^(?=.*\d)\p{Lu}[\p{Lu}\d]*(?:[_-][\p{Lu}\d]+)*$/u

/** A lone error code that occurs nowhere: its parts would find other errors. */
async function withoutPartsOfCode(all: readonly Draft[], [code, ...more]: readonly Piece[], lexical: Lexical): Promise<readonly Draft[]> {
  if (code === undefined || more.length > 0 || !ERROR_CODE.test(code.text)) return all
  const whole = await lexical.documentFrequency({ words: code.words })
  return whole > 0 ? all : all.filter(({ kind }) => kind !== 'part')
}

/** `bar.ts` of `src/foo/bar.ts`: people and tools often give only that. */
function baseName(path: string): Draft[] {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  return name === path || words.length < 2 ? [] : [{ term: { words }, text: name, kind: 'exact' }]
}

/** The identifier, its adjacent parts (`get_user_name`), and each part. */
function camel(text: string, words: readonly string[]): Draft[] {
  const parts = extraTerms(text).split(/\s+/).filter(Boolean)
  const whole: Draft = { term: { words }, text, kind: 'exact' }
  if (parts.length < 2) return [whole]
  const single = parts
    .filter((part) => part.length > 2 && !isStopWord(part))
    .map((part): Draft => ({ term: { words: [part], literal: part }, text: part, kind: 'part' }))
  return [whole, { term: { words: parts, literal: text }, text, kind: 'exact' }, ...single]
}

/** All bigrams of a run, and each alone: a question is longer than its subject. */
function cjk(text: string): Draft[] {
  const pairs = extraTerms(text).split(/\s+/).filter(Boolean)
  const [pair, ...more] = pairs
  if (pair === undefined || [...text].length < 2) {
    return [{ term: { words: [text], prefix: true, literal: text }, text, kind: 'prefix' }]
  }
  if (more.length === 0) return [{ term: { words: [pair], literal: text }, text, kind: 'word' }]
  const single = pairs.map((one): Draft => ({ term: { words: [one], literal: one }, text: one, kind: 'part' }))
  return [{ term: { words: pairs, literal: text, pieces: true }, text, kind: 'exact' }, ...single]
}

function distinct(all: readonly Draft[]): Draft[] {
  const byKey = new Map<string, Draft>()
  for (const draft of all) {
    const key = JSON.stringify([draft.term.words.map((word) => word.toLowerCase()), draft.term.prefix ?? false])
    const known = byKey.get(key)
    if (!known || KIND_WEIGHT[known.kind] < KIND_WEIGHT[draft.kind]) byKey.set(key, draft)
  }
  return [...byKey.values()]
}

interface Counting {
  readonly size: number
  readonly notes: Record<string, number>
}

async function count(
  all: readonly Draft[],
  lexical: Lexical,
  { size, notes }: Counting,
): Promise<{ readonly counted: PlannedTerm[]; readonly absent: number }> {
  const counted: PlannedTerm[] = []
  let absent = 0
  for (const [position, draft] of all.entries()) {
    const frequency = await lexical.documentFrequency(draft.term)
    if (frequency > 0) {
      counted.push(planned(draft, { frequency, size, position }))
      continue
    }
    const guess = await guessed(draft, lexical)
    if (guess) {
      counted.push(planned(guess.draft, { frequency: guess.frequency, size, position }))
      notes[`prefix:${draft.text}`] = guess.frequency
    } else if (draft.kind !== 'part') {
      notes[`absent:${draft.text}`] = 0
      if (!isJoined(draft)) absent += planned(draft, { frequency: 0, size, position }).weight
    }
  }
  return { counted, absent }
}

/** Each part is also searched alone, so a missing whole loses nothing. */
function isJoined({ kind, text }: Draft): boolean {
  return kind === 'exact' && /^[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)+$/u.test(text)
}

async function guessed(draft: Draft, lexical: Lexical): Promise<{ draft: Draft; frequency: number } | undefined> {
  const [word = '', ...more] = draft.term.words
  if (more.length > 0 || word.length < SHORTEST_GUESS) return undefined
  const begun = (one: string, prefix: boolean): Draft => ({
    text: `${word}*`,
    kind: 'prefix',
    term: { ...draft.term, words: [one], prefix },
  })
  // The index is stemmed: `configurat` is no prefix in it, but `configuration` matches.
  const endings = draft.kind === 'prefix' ? ENDINGS.map((ending) => begun(word + ending, false)) : []
  const guesses = draft.kind === 'word' ? [begun(word, true)] : endings
  for (const guess of guesses) {
    const frequency = await lexical.documentFrequency(guess.term)
    if (frequency > 0) return { draft: guess, frequency }
  }
  return undefined
}

function planned(draft: Draft, { frequency, size, position }: { frequency: number; size: number; position: number }): PlannedTerm {
  return { ...draft, position, frequency, weight: rarity(frequency, size) * KIND_WEIGHT[draft.kind] }
}

/** Inverse document frequency, as in BM25. */
export function rarity(frequency: number, size: number): number {
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5))
}

/** The index holds CJK text as bigrams, so each run is its own phrase. */
function quotedDrafts({ text, words }: Piece): Draft[] {
  const found = text.split(/\s+/).flatMap(pieces)
  if (!found.some(({ kind }) => kind === 'cjk')) return [{ term: { words }, text, kind: 'phrase' }]
  return found.flatMap((piece) => drafts(piece).slice(0, 1)).map((draft) => ({ ...draft, kind: 'phrase' }))
}

/** The rarest terms within the budget; at least one, and two if the first is rare. */
function spend(counted: readonly PlannedTerm[], notes: Record<string, number>): { any: PlannedTerm[]; common: PlannedTerm[] } {
  const rarest = counted.toSorted((a, b) => a.frequency - b.frequency)
  const any: PlannedTerm[] = []
  const common: PlannedTerm[] = []
  let spent = 0
  for (const term of rarest) {
    const needed = any.length === 0 || (any.length < ALWAYS && spent < ENOUGH)
    spent += term.frequency
    const fits = needed || (spent <= BUDGET && any.length < MOST_TERMS)
    if (fits) any.push(term)
    else {
      notes[`dropped:${term.text}`] = term.frequency
      if (common.length < MOST_COMMON) common.push(term)
    }
  }
  return { any, common }
}

function pairsOf(content: readonly Piece[]): Term[] {
  const pairs: Term[] = []
  for (const [i, piece] of content.entries()) {
    const next = content[i + 1]
    if (piece.kind === 'word' && next?.kind === 'word') pairs.push({ words: [...piece.words, ...next.words] })
  }
  return pairs.slice(0, MOST_PAIRS)
}
