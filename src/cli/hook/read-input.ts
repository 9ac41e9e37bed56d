/** Standard input to its end, without blocking the timer; undefined where it is larger than any payload that is worth reading. */

const MOST_BYTES = 16 * 1024 * 1024

/** By its events: the iterator of a stream loads more than all the rest of the gate. */
export function readInput(input: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = []
    let bytes = 0
    input.on('data', (piece: Uint8Array) => {
      bytes += piece.length
      if (bytes <= MOST_BYTES) pieces.push(piece)
      else resolve(undefined)
    })
    input.on('end', () =>
      resolve(
        Buffer.concat(pieces)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ),
    )
    input.on('error', reject)
  })
}
