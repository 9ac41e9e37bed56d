/** Scope `body-normalized-v1`: LF, no trailing white space or blank lines, UTF-8, no frontmatter. Frozen: a new rule needs a new scope. */
import { createHash, hash } from 'node:crypto'

export const HASH_SCOPE = 'body-normalized-v1'

/** Without the file's final newline. */
export function normalizeBody(body: string): string {
  return normalizeLines(body.toWellFormed()).trimEnd()
}

export function contentSha256(body: string): string {
  return hash('sha256', normalizeBody(body))
}

/** Pieces may be cut anywhere. Returns only text that later pieces cannot change. */
export interface BodyNormalizer {
  push(piece: string): string
  /** The remainder: a lone surrogate, if any. */
  end(): string
}

export function bodyNormalizer(): BodyNormalizer {
  let held: string[] = []
  return {
    push(piece) {
      // Joining per piece would be quadratic.
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

export async function* normalizedPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  const normalizer = bodyNormalizer()
  for await (const piece of pieces) {
    const certain = normalizer.push(piece)
    if (certain !== '') yield certain
  }
  const rest = normalizer.end()
  if (rest !== '') yield rest
}

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
