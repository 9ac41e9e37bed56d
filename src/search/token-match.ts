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

/** Two tokens of the question are compared by one look: each has half of a number, whose sums never reach the other half. */
const HALF = 16
const LARGEST = 0x7fff

/** Two tokens of the question: what each byte of a text's token adds to the product with both. */
interface Pair {
  readonly table: Int32Array
  readonly first: Scale
  readonly second: Scale | undefined
}

/** From a sum of the table to a cosine. */
interface Scale {
  readonly weight: number
  readonly least: number
  readonly step: number
}

/** The weighted mean of the cosines, for each text; undefined where a text has no token. Gives way after every second token of the question. */
export async function tokenMatches(
  question: QuestionTokens,
  texts: readonly Uint8Array[],
  pause: () => Promise<unknown>,
): Promise<(number | undefined)[]> {
  // Read four bytes at a time; a model of other dimensions has no bits to compare.
  if (question.dimensions % 32 !== 0) return texts.map(() => undefined)
  const bytes = question.dimensions >> 3
  const pairs = pairsOf(question)
  const whole = pairs.reduce((sum, { first, second }) => sum + first.weight + (second?.weight ?? 0), 0)
  const sums = new Float64Array(texts.length)
  const aligned = texts.map((text) => new Uint32Array(new Uint8Array(text).buffer))
  for (const { table, first, second } of pairs) {
    for (const [i, text] of aligned.entries()) {
      const { high, low } = largest(table, text, bytes >> 2)
      sums[i] = (sums[i] as number) + cosineOf(high, first) + (second === undefined ? 0 : cosineOf(low, second))
    }
    await pause()
  }
  return texts.map((text, i) => (text.length < bytes || whole === 0 ? undefined : (sums[i] as number) / whole))
}

function cosineOf(sum: number, { weight, least, step }: Scale): number {
  return weight * (least + sum * step)
}

/** The largest sum over the tokens of a text, for both tokens of the question. Four bytes at a time. */
function largest(table: Int32Array, text: Uint32Array, words: number): { readonly high: number; readonly low: number } {
  let high = 0
  let low = 0
  for (let at = 0; at + words <= text.length; at += words) {
    let sum = 0
    for (let word = 0, row = 0; word < words; word++, row += 1024) {
      const four = text[at + word] as number
      sum +=
        (table[row + (four & 255)] as number) +
        (table[row + 256 + ((four >>> 8) & 255)] as number) +
        (table[row + 512 + ((four >>> 16) & 255)] as number) +
        (table[row + 768 + (four >>> 24)] as number)
    }
    const upper = sum >>> HALF
    const lower = sum & LARGEST
    if (upper > high) high = upper
    if (lower > low) low = lower
  }
  return { high, low }
}

function pairsOf({ states, weights, dimensions }: QuestionTokens): Pair[] {
  const counted = weights.flatMap((weight, token) => (weight > 0 ? [{ weight, token }] : []))
  const stateOf = (token: number) => states.subarray(token * dimensions, (token + 1) * dimensions)
  const pairs: Pair[] = []
  for (let at = 0; at < counted.length; at += 2) {
    const [one, other] = counted.slice(at, at + 2) as [(typeof counted)[number], (typeof counted)[number]?]
    const numbers = new Int32Array(dimensions)
    const base = new Int32Array(dimensions >> 3)
    const first = { weight: one.weight, ...add(stateOf(one.token), { numbers, base, shift: HALF }) }
    const second = other && { weight: other.weight, ...add(stateOf(other.token), { numbers, base, shift: 0 }) }
    pairs.push({ table: tableOf(numbers, base), first, second })
  }
  return pairs
}

interface Halves {
  /** What the bit of each dimension adds. */
  readonly numbers: Int32Array
  /** What each byte has without a bit: as much as the negative numbers of its bits can take away, so that no sum is below zero. */
  readonly base: Int32Array
  readonly shift: number
}

/** Adds the state as whole numbers, small enough that all of them together fill no more than the half. */
function add(state: Float32Array, { numbers, base, shift }: Halves): Omit<Scale, 'weight'> {
  let total = 0
  for (const value of state) total += Math.abs(value)
  const scale = total === 0 ? 0 : (LARGEST - state.length / 2) / total
  let reach = 0
  let square = 0
  for (const [d, value] of state.entries()) {
    const whole = Math.round(value * scale)
    reach += Math.abs(whole)
    square += whole * whole
    numbers[d] = (numbers[d] as number) + whole * 2 ** shift
    if (whole < 0) base[d >> 3] = (base[d >> 3] as number) - whole * 2 ** shift
  }
  const length = Math.sqrt(square * state.length) || 1
  return { least: -reach / length, step: 2 / length }
}

function tableOf(numbers: Int32Array, base: Int32Array): Int32Array {
  const table = new Int32Array(base.length * 256)
  for (let row = 0; row < table.length; row += 256) {
    table[row] = base[row >> 8] as number
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value)
      table[row + value] = (table[row + (value & (value - 1))] as number) + (numbers[(row >> 5) + lowest] as number)
    }
  }
  return table
}
