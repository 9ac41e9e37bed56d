/** Keeps the sentences with query words in order. Pure. */
import { wordsIn } from '../core/text.ts'
import { stemOf } from '../search/sought-words.ts'
import { isStopWord } from '../search/stop-words.ts'
import type { CountTokens } from './fork-context.ts'

export const LEFT_OUT = '[…]'

/** Longer texts keep only their start and end. */
const LONGEST = 60_000
/** A list number does not end a sentence. */
const ENDS = /(?<=[.!?…:])(?<!(?:^|\n)\s*\d{1,3}\.)[^\S\n]+(?=\S)|(?<=\n)/u
const LONGEST_PIECE = 400

export interface Shortener {
  readonly count: CountTokens
  readonly pieces: (text: string) => readonly Piece[]
  readonly holds: (text: string) => number
}

export function shortener(count: CountTokens, asked: readonly string[]): Shortener {
  const words = asked.flatMap((query) => wordsIn(query)).filter((word) => !isStopWord(word.toLowerCase()))
  const stems = new Set(words.map(stemOf))
  const known = new Map<string, readonly Piece[]>()
  const counts = new Map<string, number>()
  const held = new Map<string, number>()
  return {
    holds: (text) => once(held, text, () => wordsHeld(text.slice(0, LONGEST), stems)),
    count: (text) => once(counts, text, count),
    pieces: (text) =>
      once(known, text, () => piecesOf(text).map((piece, at) => ({ text: piece, tokens: count(piece), worth: worthOf(piece, at, stems) }))),
  }
}

function once<T>(known: Map<string, T>, text: string, make: (text: string) => T): T {
  const before = known.get(text)
  if (before !== undefined) return before
  const made = make(text)
  known.set(text, made)
  return made
}

export interface Piece {
  readonly text: string
  readonly tokens: number
  readonly worth: number
}

export function shorten(text: string, most: number, { count, pieces: split }: Shortener): string {
  if (most <= 0) return ''
  if (text.length <= LONGEST && text.length < most) return text
  const bounded = text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n${LEFT_OUT}\n${text.slice(-LONGEST / 2)}`
  if (bounded === text && count(text) <= most) return text
  const pieces = split(bounded)
  const gap = count(` ${LEFT_OUT} `)
  const kept = new Set<number>()
  let room = most - gap
  for (const { at, tokens } of pieces.map((piece, at) => ({ ...piece, at })).toSorted((a, b) => b.worth - a.worth || a.at - b.at)) {
    const cost = tokens + (kept.has(at - 1) || kept.has(at + 1) ? 0 : gap)
    if (cost > room) continue
    kept.add(at)
    room -= cost
  }
  return joined(pieces, kept)
}

function piecesOf(text: string): string[] {
  return text.split(ENDS).flatMap((piece) => {
    if (piece.length <= LONGEST_PIECE) return piece === '' ? [] : [piece]
    return piece.match(/[\s\S]{1,300}(?=\s|$)|[\s\S]{1,300}/gu) ?? []
  })
}

/** Prefers query words, then the start, which says what a text is about. */
function worthOf(piece: string, at: number, words: ReadonlySet<string>): number {
  return wordsHeld(piece, words) + (at === 0 ? 0.5 : 0) + (wordsIn(piece).length === 0 ? -1 : 0)
}

function wordsHeld(text: string, words: ReadonlySet<string>): number {
  const held = new Set(wordsIn(text).map(stemOf))
  let count = 0
  for (const word of words) if (held.has(word)) count += 1
  return count
}

function joined(pieces: readonly Piece[], kept: ReadonlySet<number>): string {
  if (kept.size === 0) return ''
  let text = ''
  let missing = false
  for (const [at, { text: piece }] of pieces.entries()) {
    if (!kept.has(at)) {
      missing = true
      continue
    }
    if (missing && !text.endsWith(`${LEFT_OUT} `)) text = text === '' ? `${LEFT_OUT} ` : `${text.trimEnd()} ${LEFT_OUT} `
    missing = false
    text += text === '' || /\s$/.test(text) ? piece : ` ${piece}`
  }
  return missing ? `${text.trimEnd()} ${LEFT_OUT}` : text.trimEnd()
}
