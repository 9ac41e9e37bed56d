/** Reads a stream raw, unescaped, as quoted-printable, and without tags or folds. */
import { type ByteSearch, byteSearch } from './byte-search.ts'
import { patternsOf, writtenPatterns } from './encodings.ts'
import { escapedPassages } from './escapes.ts'
import { joinedWords } from './joined-words.ts'
import { isQuoted, quotedLines } from './quoted-lines.ts'

export interface Watch {
  feed(piece: Buffer): void
  /** Ends the stream; the next piece starts another. */
  end(): void
}

type Decode = (piece: Buffer) => Buffer

/** One watcher's watches share state: finish one stream first. */
export function watcher(texts: readonly string[]): (found: Set<number>) => Watch {
  const search = byteSearch(texts.map(patternsOf))
  const written = () => byteSearch(texts.map(writtenPatterns))
  const [quoted, unescaped, joined] = [written(), written(), written()]
  const longest = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)))
  return (found) => {
    let decodeEscapes = escapedPassages(longest)
    let decodeQuoted: Decode | undefined
    let join: Decode | undefined
    let before: Buffer | undefined
    const take = (one: ByteSearch) => {
      for (const group of one.found) found.add(group)
      one.reset()
    }
    const end = () => {
      for (const one of [search, quoted, joined]) take(one)
      decodeEscapes = escapedPassages(longest)
      decodeQuoted = join = before = undefined
    }
    for (const one of [search, quoted, unescaped, joined]) one.reset()
    return {
      end,
      feed(piece) {
        search.feed(piece)
        for (const passage of decodeEscapes(piece)) {
          unescaped.feed(passage)
          take(unescaped)
        }
        if (before === undefined) join = joinedWords(piece)
        if (join !== undefined) joined.feed(join(piece))
        const cut = before?.at(-1) === EQUALS
        const all = decodeQuoted === undefined && before !== undefined && (cut || isQuoted(piece)) ? Buffer.concat([before, piece]) : piece
        if (cut || isQuoted(piece)) decodeQuoted ??= quotedLines()
        if (decodeQuoted !== undefined) quoted.feed(decodeQuoted(all))
        before = Buffer.from(piece.subarray(-QUOTED_BEFORE))
      },
    }
  }
}

const EQUALS = 61
/** A match may start before the first sign of quoted-printable. */
const QUOTED_BEFORE = 4096

export async function watchAll(layer: AsyncIterable<Buffer>, watch: Watch): Promise<void> {
  try {
    for await (const piece of layer) watch.feed(piece)
  } finally {
    watch.end()
  }
}
