/** From what was typed to what is looked for: terms, what they may cost, and whose words are asked for. Never engine syntax. */
import { extraTerms } from '../index/extra-terms.ts'
import type { Lexical, Term } from '../store/lexical.ts'
import { type People, type Person, personAskedFor } from './person.ts'
import { cutQuery, type Piece, pieces } from './query-text.ts'
import { isEmptyWord, isInterrogative, isStopWord } from './stop-words.ts'

export interface PlannedTerm {
  readonly term: Term
  /** As it was typed, and where. */
  readonly text: string
  readonly position: number
  readonly kind: 'word' | 'prefix' | 'exact' | 'phrase' | 'part'
  /** How many chunks hold it, at most. */
  readonly frequency: number
  /** What finding it is worth: rare is worth more, and so is an exact token. */
  readonly weight: number
}

export interface Plan {
  /** Each must be there: what stood in quotes. */
  readonly all: readonly PlannedTerm[]
  /** One of them is enough: the rarest, within the budget. */
  readonly any: readonly PlannedTerm[]
  /** Too common to be looked up; they only help to order what the others found. */
  readonly common: readonly PlannedTerm[]
  /** Neighbours in the query: worth a bonus where they stand side by side. */
  readonly pairs: readonly Term[]
  /** What the words are worth that stand nowhere. */
  readonly absent: number
  /** Whose words the question asks for. */
  readonly person: Person | undefined
  /** The query has no words of its own: only those of a question, or none at all. */
  readonly empty: boolean
  /** For --explain: what was left out, with its count of chunks. */
  readonly notes: Readonly<Record<string, number>>
}

/** Documents that one query may touch; the cost stays flat as the corpus grows. */
const BUDGET = 8000
/** Two terms are looked up however common they are, unless the first alone may find so many. */
const ALWAYS = 2
const ENOUGH = 20
const MOST_TERMS = 64
/** So many different terms are counted at all: a pasted file is no reason to wait. */
const MOST_COUNTED = 512
const SHORTEST_GUESS = 4
const MOST_PAIRS = 8
/** So many words beyond the budget still help to order. */
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
  // A question about nothing in particular still has words; those of "what did Jason say" are used up.
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

/** What the query is about. A query of filler alone is about that, unless it is a question: "what did we discuss". */
function contentOf(found: readonly Piece[]): Piece[] {
  const about = found.filter((piece) => piece.kind !== 'word' || !isStopWord(piece.text))
  if (about.length > 0 || found.some((piece) => isInterrogative(piece.text))) return about
  return found.filter((piece) => !isEmptyWord(piece.text))
}

/** What to look for to find one piece of the query. */
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

/** `ERR_PAYMENT_402`, `TS2345`. */
const ERROR_CODE = /^(?=.*\d)\p{Lu}[\p{Lu}\d]*(?:[_-][\p{Lu}\d]+)*$/u

/** An error code that is asked for alone and occurs nowhere: what holds a part of it is about another error. */
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

/** The whole identifier, its parts side by side (as `get_user_name` has them), and each part. */
function camel(text: string, words: readonly string[]): Draft[] {
  const parts = extraTerms(text).split(/\s+/).filter(Boolean)
  const whole: Draft = { term: { words }, text, kind: 'exact' }
  if (parts.length < 2) return [whole]
  const single = parts
    .filter((part) => part.length > 2 && !isStopWord(part))
    .map((part): Draft => ({ term: { words: [part], literal: part }, text: part, kind: 'part' }))
  return [whole, { term: { words: parts, literal: text }, text, kind: 'exact' }, ...single]
}

/** All pairs of characters of a run, and each pair alone: a question is longer than what it asks for. */
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

/** Asks how many chunks hold each term. A word that none holds is tried as the beginning of one. */
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

/** Words joined by a hyphen or an apostrophe: each is looked up by itself, so nothing is missing where only the pair is. */
function isJoined({ kind, text }: Draft): boolean {
  return kind === 'exact' && /^[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)+$/u.test(text)
}

/** What a word that stands nowhere may be the beginning of. */
async function guessed(draft: Draft, lexical: Lexical): Promise<{ draft: Draft; frequency: number } | undefined> {
  const [word = '', ...more] = draft.term.words
  if (more.length > 0 || word.length < SHORTEST_GUESS) return undefined
  const begun = (one: string, prefix: boolean): Draft => ({
    text: `${word}*`,
    kind: 'prefix',
    term: { ...draft.term, words: [one], prefix },
  })
  // The index holds words without their endings: `configurat` begins no word there, but `configuration` does stand there.
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

/** What finding a word is worth that so many of all chunks hold. */
export function rarity(frequency: number, size: number): number {
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5))
}

/** The words side by side. CJK characters stand in the index as pairs, so each run of them is a phrase of its own. */
function quotedDrafts({ text, words }: Piece): Draft[] {
  const found = text.split(/\s+/).flatMap(pieces)
  if (!found.some(({ kind }) => kind === 'cjk')) return [{ term: { words }, text, kind: 'phrase' }]
  return found.flatMap((piece) => drafts(piece).slice(0, 1)).map((draft) => ({ ...draft, kind: 'phrase' }))
}

/** The rarest terms whose counts fit into the budget; at least one, however common, and two where the first is rare. */
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
