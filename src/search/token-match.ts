/** Token-by-token similarity. Per token of the question, the best cosine between its state and the signs of a token in the text. */

export interface QuestionTokens {
  readonly states: Float32Array
  readonly weights: readonly number[]
  readonly dimensions: number
}

/** Two tokens of the question share a number, a half each. No sum overflows its half. */
const HALF = 16
const LARGEST = 0x7fff

/** Two tokens of the question: what each byte of a text token adds to both products. */
interface Pair {
  readonly table: Int32Array
  readonly first: Scale
  readonly second: Scale | undefined
}

interface Scale {
  readonly weight: number
  readonly least: number
  readonly step: number
}

/** Weighted mean of the cosines per text; undefined without tokens. Yields after every second token of the question. */
export async function tokenMatches(
  question: QuestionTokens,
  texts: readonly Uint8Array[],
  pause: () => Promise<unknown>,
): Promise<(number | undefined)[]> {
  // Reads four bytes at a time; models of other dimensions have no bits.
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

/** Largest sum over the tokens of a text, for both tokens of the question. */
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
  readonly numbers: Int32Array
  /** Added per byte: outweighs its negative contributions, so that no sum is below zero. */
  readonly base: Int32Array
  readonly shift: number
}

/** Scales the state to integers that together fit into the half. */
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
