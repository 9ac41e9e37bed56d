/**
 * How near a text is to a question, token by token: for each token of the question the nearest token of the text, by the cosine of its state and
 * the signs of the other's. Pure.
 */

export interface QuestionTokens {
  /** One token after the other. */
  readonly states: Float32Array
  /** What each token counts for; one of 0 is not compared. */
  readonly weights: readonly number[]
  readonly dimensions: number
}

/** Two tokens of the question are compared by one look: each has half of a number. */
const HALF = 16
const LARGEST = 0x7fff

/** What the bytes of a text's token add up to for two tokens of the question. */
interface Pair {
  readonly table: Int32Array
  readonly tokens: readonly Scale[]
}

/** From a sum of the table to a cosine. */
interface Scale {
  readonly weight: number
  readonly least: number
  readonly step: number
}

/** The weighted mean of the cosines, for each text; undefined where a text has no token. Gives way between two tokens of the question. */
export async function tokenMatches(
  question: QuestionTokens,
  texts: readonly Uint8Array[],
  pause: () => Promise<void>,
): Promise<(number | undefined)[]> {
  const bytes = question.dimensions >> 3
  const pairs = pairsOf(question)
  const whole = pairs.reduce((sum, { tokens }) => tokens.reduce((all, { weight }) => all + weight, sum), 0)
  const sums = new Float64Array(texts.length)
  for (const { table, tokens } of pairs) {
    const [first, second] = tokens
    for (const [i, text] of texts.entries()) {
      const { high, low } = largest(table, text, bytes)
      const found = cosineOf(high, first) + cosineOf(low, second)
      sums[i] = (sums[i] as number) + found
    }
    await pause()
  }
  return texts.map((text, i) => (text.length < bytes || whole === 0 ? undefined : (sums[i] as number) / whole))
}

function cosineOf(sum: number, scale: Scale | undefined): number {
  return scale === undefined ? 0 : scale.weight * (scale.least + sum * scale.step)
}

/** The largest sum over the tokens of a text, for both tokens of the question. */
function largest(table: Int32Array, text: Uint8Array, bytes: number): { readonly high: number; readonly low: number } {
  let high = 0
  let low = 0
  for (let at = 0; at + bytes <= text.length; at += bytes) {
    let sum = 0
    for (let byte = 0, row = 0; byte < bytes; byte++, row += 256) sum += table[row + (text[at + byte] as number)] as number
    const upper = sum >>> HALF
    const lower = sum & LARGEST
    if (upper > high) high = upper
    if (lower > low) low = lower
  }
  return { high, low }
}

function pairsOf({ states, weights, dimensions }: QuestionTokens): Pair[] {
  const counted = weights.flatMap((weight, token) => (weight > 0 ? [{ weight, token }] : []))
  const pairs: Pair[] = []
  for (let at = 0; at < counted.length; at += 2) {
    const table = new Int32Array((dimensions >> 3) * 256)
    const tokens = counted.slice(at, at + 2).map(({ weight, token }, side) => {
      const state = states.subarray(token * dimensions, (token + 1) * dimensions)
      return { weight, ...fill(table, state, side === 0 ? HALF : 0) }
    })
    pairs.push({ table, tokens })
  }
  return pairs
}

/**
 * Adds to each entry what the byte's bits add to the product of the state and the signs, above the least that they can add: so no sum is below zero,
 * and none above LARGEST.
 */
function fill(table: Int32Array, state: Float32Array, shift: number): Omit<Scale, 'weight'> {
  let total = 0
  let square = 0
  for (const value of state) {
    total += Math.abs(value)
    square += value * value
  }
  const length = Math.sqrt(square * state.length) || 1
  // Rounding may add half a step a byte.
  const scale = total === 0 ? 0 : (LARGEST - (state.length >> 3)) / total
  const sums = new Float64Array(256)
  for (let row = 0; row < table.length; row += 256) {
    let least = 0
    for (let bit = 0; bit < 8; bit++) least += Math.min(0, state[(row >> 5) + bit] as number)
    sums[0] = -least
    table[row] = (table[row] as number) + (Math.round(-least * scale) << shift)
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value)
      sums[value] = (sums[value & (value - 1)] as number) + (state[(row >> 5) + lowest] as number)
      table[row + value] = (table[row + value] as number) + (Math.round((sums[value] as number) * scale) << shift)
    }
  }
  // A sum of all set bits above the least: the product with the signs goes from -total to total.
  return { least: -total / length, step: scale === 0 ? 0 : 2 / (scale * length) }
}
