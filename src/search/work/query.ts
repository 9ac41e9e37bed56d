/** Search stages for tool work, strictest first: the first with results answers. */
import type { Term, WorkQuery } from '../../store/work.ts'
import { cutQuery, type Piece, pieces } from '../query-text.ts'
import { isStopWord } from '../stop-words.ts'
import { filesIn, type WorkIntent } from './intent.ts'

const MOST_WORDS = 24
const SHORT_HASHES = [7, 8, 9, 10, 12]

/** No stage without words: the newest calls are listed. */
export function workStages(query: string, intent: WorkIntent | undefined): WorkQuery[] {
  const { quoted, tokens } = cutQuery(query)
  const found = tokens.flatMap(pieces)
  const all = quoted.map(({ words }): Term => ({ words }))
  const about = contentOf(found)
  const each = unique(about.map(({ words, kind }): Term => ({ words, ...(kind === 'prefix' ? { prefix: true } : {}) }))).slice(
    0,
    MOST_WORDS,
  )
  if (all.length > 0) return [{ all, any: each }]
  if (each.length === 0) return []
  const together: WorkQuery = { all: each, any: [] }
  const some: WorkQuery = { any: each, didOnly: true }
  switch (intent) {
    case 'hash':
      return [{ all: hashes(found).slice(0, 1), any: each }, { any: hashes(found) }]
    case 'file':
      return [...files(query, each), together]
    case 'command':
      return [
        { all: [line(found)], any: each, didOnly: true },
        { all: [line(found)], any: each },
        { all: each, any: [], didOnly: true },
        some,
      ]
    case 'error':
      return [{ all: [line(found)], any: each }, together, withoutNumbers(each), some]
    default:
      return [together, some]
  }
}

function line(found: readonly Piece[]): Term {
  return { words: found.flatMap(({ words }) => words).slice(0, MOST_WORDS) }
}

/** Line numbers and addresses differ from run to run. */
function withoutNumbers(each: readonly Term[]): WorkQuery {
  const kept = each.filter(({ words }) => words.some((word) => /\p{L}/u.test(word)))
  return { all: kept, any: each }
}

/** As typed, else by name: a path may be relative to another folder. */
function files(query: string, each: readonly Term[]): WorkQuery[] {
  const paths = filesIn(query)
  const wordsOf = (path: string) => pieces(path).flatMap(({ words }) => words)
  const names = paths.map((path) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path)
  return [paths, names].map((list) => ({ all: list.map((path) => ({ words: wordsOf(path) })), any: each }))
}

function hashes(found: readonly Piece[]): Term[] {
  const typed = found.map(({ text }) => text).filter((text) => /^[0-9a-f]{7,40}$/.test(text))
  const shorter = typed.flatMap((hash) => SHORT_HASHES.filter((length) => length < hash.length).map((length) => hash.slice(0, length)))
  return [...typed.map((hash): Term => ({ words: [hash], prefix: true })), ...shorter.map((hash): Term => ({ words: [hash] }))]
}

function contentOf(found: readonly Piece[]): readonly Piece[] {
  const about = found.filter(({ kind, text }) => kind !== 'word' || !isStopWord(text))
  return about.length > 0 ? about : []
}

function unique(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [term.words.join(' ').toLowerCase(), term] as const)).values()]
}
