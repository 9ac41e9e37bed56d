/** Standard input to its end, without blocking the timer; undefined where it is larger than any payload that is worth reading. */

const MOST_BYTES = 16 * 1024 * 1024

export async function readInput(input: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input) {
    bytes += piece.length
    if (bytes > MOST_BYTES) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}
