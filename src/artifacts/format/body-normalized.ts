/**
 * The hash scope `body-normalized-v1`: LF line ends, no white space at the end of a line, no blank lines at the end of the text, UTF-8.
 * Frozen: another rule is another scope. Never sees the frontmatter.
 */
import { createHash, hash } from 'node:crypto'

export const HASH_SCOPE = 'body-normalized-v1'

/** The body as it is hashed. It has no newline at its end; the file has one. */
export function normalizeBody(body: string): string {
  return normalizeLines(body.toWellFormed()).trimEnd()
}

export function contentSha256(body: string): string {
  return hash('sha256', normalizeBody(body))
}

/** Takes a body in pieces, cut anywhere, and gives the normalized text as far as it is certain. */
export interface BodyNormalizer {
  push(piece: string): string
  /** What was still held: nothing, unless the body ends in half a character. */
  end(): string
}

export function bodyNormalizer(): BodyNormalizer {
  let held: string[] = []
  return {
    push(piece) {
      // Long runs of white space in many pieces are put together once, not again with each piece.
      if (piece.trim() === '') {
        if (piece !== '') held.push(piece)
        return ''
      }
      const text = held.join('') + piece
      const whole = endsInHalf(text) ? text.slice(0, -1) : text
      const certain = whole.trimEnd().length
      held = certain === text.length ? [] : [text.slice(certain)]
      return normalizeLines(text.slice(0, certain).toWellFormed())
    },
    end() {
      const rest = normalizeBody(held.join(''))
      held = []
      return rest
    },
  }
}

/** The normalized body of pieces that come one by one: for a text that should not be in memory whole. */
export async function* normalizedPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  const normalizer = bodyNormalizer()
  for await (const piece of pieces) {
    const certain = normalizer.push(piece)
    if (certain !== '') yield certain
  }
  const rest = normalizer.end()
  if (rest !== '') yield rest
}

/** `contentSha256` of a body in pieces. */
export async function contentSha256Of(pieces: Iterable<string> | AsyncIterable<string>): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of normalizedPieces(pieces)) sum.update(piece)
  return sum.digest('hex')
}

function normalizeLines(text: string): string {
  if (!/[\r\s]\n|\r/.test(text)) return text
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const last = lines.length - 1
  // The last line continues in the next piece.
  return lines.map((line, i) => (i === last ? line : line.trimEnd())).join('\n')
}

function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
}
