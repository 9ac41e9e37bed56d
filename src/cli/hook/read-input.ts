/** Undefined if larger than any real payload. */

const MOST_BYTES = 16 * 1024 * 1024

/** Uses events: async iteration of a stream would load more than the rest of the gate. */
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
