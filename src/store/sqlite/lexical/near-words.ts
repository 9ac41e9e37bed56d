/**
 * Scanning the stem vocabulary costs as much as reading every chunk. So this generates candidates, stems them and looks them up; only a
 * small index is scanned, at one prefix.
 */
import { typingErrors } from '../../../core/edit-distance.ts'
import type { NearWord } from '../../lexical.ts'
import type { Prepare } from '../statements.ts'
import type { Stemmer } from './stemmer.ts'

/** About ten microseconds each: a typo costs no more than a search. */
const MOST_LOOKED_UP = 500
/** In a larger index, a word in a single chunk may itself be a typo. */
const FEW_CHUNKS = 500
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
/** In a larger index, scanning one prefix takes too long. */
const SMALL_INDEX = 20_000
const BEGINNING = 3
const MOST_READ = 500
const MOST_CHUNKS_READ = 30_000
const LONGEST_ENDING = 6
/** Limits of comparing surface forms: stems, and chunks sampled per stem. */
const MOST_COMPARED = 12
const SAMPLED = 24

export interface Near {
  readonly prepare: Prepare
  readonly stem: Stemmer
  readonly size: number
}

export function nearWords(near: Near, typed: string, most: 1 | 2): NearWord[] {
  const word = typed.toLowerCase()
  if (!/^\p{L}{2,64}$/u.test(word)) return []
  const found = new Map<string, NearWord>()
  let left = MOST_LOOKED_UP
  const add = (words: readonly NearWord[]) => {
    for (const one of words) if (one.word !== word && (found.get(one.word)?.errors ?? 3) > one.errors) found.set(one.word, one)
  }
  const look = (words: readonly string[], errors: number) => {
    const some = [...new Set(words)].slice(0, left)
    left -= some.length
    if (some.length > 0) add(held(near, some, { typed: word, errors }))
  }
  const small = near.size <= SMALL_INDEX
  look([...swapped(word), ...shortened(word)], 1)
  if (small) add(withSameBeginning(near, word, most))
  // In a small index the prefix scan already covered later positions.
  look(withLetters(word, small ? BEGINNING : word.length), 1)
  if (found.size === 0 && most === 2) {
    const once = [...swapped(word), ...shortened(word)]
    look(
      once.flatMap((one) => [...swapped(one), ...shortened(one)]),
      2,
    )
  }
  const least = near.size > FEW_CHUNKS ? 2 : 1
  const likely = [...found.values()].filter(({ chunks }) => chunks >= least)
  return likely.sort((a, b) => a.errors - b.errors || worth(b, word) - worth(a, word) || (a.word < b.word ? -1 : 1))
}

/**
 * The first letter and the kind of slip outweigh the number of chunks. Transpositions and omissions are the commonest slips, substitutions
 * the rarest.
 */
function worth({ word, chunks }: NearWord, typed: string): number {
  const sameLetters = [...word].sort().join('') === [...typed].sort().join('')
  const slip = sameLetters || word.length > typed.length ? 3 : word.length < typed.length ? 1.5 : 0
  return Math.log2(1 + chunks) + (word[0] === typed[0] ? 3 : 0) + slip
}

/** Returns surface forms: a stem may not be a word. */
function held({ prepare, stem }: Near, words: readonly string[], { typed, errors }: { typed: string; errors: number }): NearWord[] {
  const stems = stem.tokens(words.join(' '))
  if (stems.length !== words.length) return [] // the engine splits some candidate into several tokens
  const rows = prepare('select v.term, v.doc from json_each(?) j cross join chunks_vocab v on v.term = j.value').all(
    JSON.stringify([...new Set(stems)]),
  ) as { term: string; doc: number }[]
  const likeliest = rows.sort((a, b) => b.doc - a.doc).slice(0, MOST_COMPARED)
  return likeliest.flatMap((row) => written(prepare, stem, { ...row, typed, most: errors }))
}

function written(
  prepare: Prepare,
  stem: Stemmer,
  { term, doc, typed, most }: { term: string; doc: number; typed: string; most: number },
): NearWord[] {
  const forms = surfaceForms(prepare, stem, term).map((word) => ({ word, errors: typingErrors(word, typed, most), chunks: doc }))
  const least = Math.min(most, ...forms.map(({ errors }) => errors))
  return forms.filter(({ errors }) => errors === least)
}

/** Two errors give too many candidates, so scan the words with the same prefix. */
function withSameBeginning({ prepare, stem }: Near, word: string, most: number): NearWord[] {
  const [from, to] = [word.slice(0, BEGINNING), `${word.slice(0, BEGINNING)}\u{10FFFF}`]
  const rows = prepare(`select term, doc from chunks_vocab where term >= ? and term <= ? limit ${MOST_READ}`).iterate(from, to)
  const near: { term: string; doc: number; errors: number }[] = []
  let read = 0
  for (const { term, doc } of rows as Iterable<{ term: string; doc: number }>) {
    const errors = errorsOfStem(term, word, most)
    if (errors <= most) near.push({ term, doc, errors })
    read += doc
    if (read > MOST_CHUNKS_READ) break
  }
  const likeliest = near.sort((a, b) => a.errors - b.errors || b.doc - a.doc).slice(0, MOST_COMPARED)
  return likeliest.flatMap(({ term, doc }) => written(prepare, stem, { term, doc, typed: word, most }))
}

function errorsOfStem(stem: string, word: string, most: number): number {
  let least = most + 1
  for (let length = word.length; length >= Math.max(BEGINNING, word.length - LONGEST_ENDING); length--) {
    least = Math.min(least, typingErrors(stem, word.slice(0, length), most))
  }
  return least
}

function surfaceForms(prepare: Prepare, stem: Stemmer, term: string): string[] {
  const ids = prepare(`select distinct doc from (select doc from temp.chunks_words where term = ? limit ${SAMPLED})`)
    .pluck()
    .all(term) as number[]
  const text = prepare('select said_user, said_assistant from index_chunks where id = ?')
  const forms = new Set<string>()
  for (const id of ids) {
    const row = text.get(id) as { said_user: string; said_assistant: string } | undefined
    for (const [one] of `${row?.said_user ?? ''}\n${row?.said_assistant ?? ''}`.matchAll(/\p{L}+/gu)) {
      const form = one.toLowerCase()
      if (form.startsWith(term.slice(0, 2)) && stem.tokens(form)[0] === term) forms.add(form)
    }
  }
  return [...forms]
}

const positions = (word: string, more = 0) => Array.from({ length: word.length + more }, (_, at) => at)

function swapped(word: string): string[] {
  return positions(word, -1).map((at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2))
}

function shortened(word: string): string[] {
  return positions(word).map((at) => word.slice(0, at) + word.slice(at + 1))
}

function withLetters(word: string, first: number): string[] {
  return positions(word, 1).flatMap((at) => {
    if (at > first) return []
    const more = LETTERS.map((letter) => word.slice(0, at) + letter + word.slice(at))
    const other = at === word.length ? [] : LETTERS.map((letter) => word.slice(0, at) + letter + word.slice(at + 1))
    return [...more, ...other]
  })
}
