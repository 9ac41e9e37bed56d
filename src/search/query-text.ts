/** Splits a query into pieces. Every input is valid: there is no syntax. */
import { isCjk } from '../core/text.ts'

export type PieceKind = 'word' | 'prefix' | 'quoted' | 'exact' | 'compound' | 'camel' | 'cjk'

export interface Piece {
  readonly kind: PieceKind
  readonly text: string
  /** Split as in the full-text index. */
  readonly words: readonly string[]
}

export interface QueryText {
  readonly quoted: readonly Piece[]
  /** Unquoted text, split at white space. */
  readonly tokens: readonly string[]
}

const LONGEST_TEXT = 16_384
const LONGEST_PHRASE = 24
const QUOTED = /"([^"]{1,400})"|“([^”]{1,400})”|„([^“”]{1,400})[“”]|«([^»]{1,400})»/g
const INNER = /[/\\._:@#-]/

export function cutQuery(query: string): QueryText {
  const text = query
    .slice(0, LONGEST_TEXT)
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .normalize('NFC')
    .replaceAll('’', "'")
  const quoted: Piece[] = []
  const rest = text.replace(QUOTED, (_all, ...groups: (string | undefined)[]) => {
    const inner = groups.slice(0, 4).find((group) => group !== undefined) ?? ''
    const words = wordsOf(inner)
    if (words.length > 0) quoted.push({ kind: 'quoted', text: inner.trim(), words })
    return ' '
  })
  return { quoted, tokens: rest.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token)) }
}

export function outsideQuotes(query: string, change: (text: string) => string): string {
  let changed = ''
  let from = 0
  for (const { index, 0: quoted } of query.matchAll(QUOTED)) {
    changed += change(query.slice(from, index)) + quoted
    from = index + quoted.length
  }
  return changed + change(query.slice(from))
}

export function pieces(token: string): Piece[] {
  const { runs, rest } = cjkRuns(token)
  const found: Piece[] = runs.map((text) => ({ kind: 'cjk', text, words: [text] }))
  for (const part of rest.split(/[^\p{L}\p{N}\p{M}'*/\\._:@#-]+/u)) found.push(...piece(part))
  return found
}

function cjkRuns(token: string): { runs: string[]; rest: string } {
  const runs: string[] = []
  let rest = ''
  let run = ''
  for (const character of token) {
    if (isCjk(character.codePointAt(0) ?? 0)) run += character
    else if (run !== '') {
      runs.push(run)
      run = ''
      rest += ` ${character}`
    } else rest += character
  }
  return { runs: run === '' ? runs : [...runs, run], rest }
}

function piece(part: string): Piece[] {
  const prefix = /[\p{L}\p{N}]{2}\*+\P{L}*$/u.test(part)
  const text = part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, '').replace(/'s$/i, '')
  const words = wordsOf(text)
  const [first] = words
  if (first === undefined) return []
  if (prefix) return [{ kind: 'prefix', text: `${text}*`, words }]
  if (words.length === 1) return [{ kind: kindOfWord(first), text, words }]
  if (!INNER.test(text)) return [{ kind: 'compound', text, words }]
  const prose = /^[\p{L}'-]+$/u.test(text)
  return [{ kind: prose ? 'compound' : 'exact', text, words }]
}

function kindOfWord(word: string): PieceKind {
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word)) return 'camel'
  return /\p{L}/u.test(word) && /\p{N}/u.test(word) ? 'exact' : 'word'
}

function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, LONGEST_PHRASE)
}
