export interface SignedTokens {
  readonly pieces: readonly string[]
  readonly dimensions: number
}

const WORD = /[\p{L}\p{N}]/u

/**
 * Bit i of byte b stands for dimension 8b + i. Omits punctuation: nearly a third of tokens in coding sessions, useless for search
 * (docs/ranking.md).
 */
export function stateSigns(states: Float32Array, { pieces, dimensions }: SignedTokens): Uint8Array {
  const kept = pieces.flatMap((piece, token) => (WORD.test(piece) ? [token] : []))
  const bits = new Uint8Array((kept.length * dimensions) >> 3)
  let byte = 0
  for (const token of kept) {
    for (let at = token * dimensions; at < (token + 1) * dimensions; at += 8) {
      let value = 0
      for (let bit = 0; bit < 8; bit++) if ((states[at + bit] as number) > 0) value |= 1 << bit
      bits[byte++] = value
    }
  }
  return bits
}
