import { expect, it } from 'vitest'
import { tokenMatches } from './token-match.ts'

const DIMENSIONS = 384

/** Deterministic. */
function numbers(seed: number, count: number): Float32Array {
  let state = seed
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

function bitsOf(states: Float32Array): Uint8Array {
  const bits = new Uint8Array(states.length >> 3)
  for (const [i, value] of states.entries()) if (value > 0) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7))
  return bits
}

/** Reference: per token of the question the best cosine with the signs, then their weighted mean. */
function exactly(question: Float32Array, weights: readonly number[], text: Float32Array): number {
  let sum = 0
  for (const [q, weight] of weights.entries()) {
    const state = question.subarray(q * DIMENSIONS, (q + 1) * DIMENSIONS)
    const length = Math.hypot(...state) * Math.sqrt(DIMENSIONS)
    let best = -1
    for (let t = 0; t < text.length; t += DIMENSIONS) {
      const product = state.reduce((all, value, d) => all + ((text[t + d] as number) > 0 ? value : -value), 0)
      best = Math.max(best, product / length)
    }
    sum += weight * best
  }
  return sum / weights.reduce((all, weight) => all + weight, 0)
}

const noPause = async () => undefined

it.each([1, 2, 3, 7])('%i tokens of a question have the cosines that an exact computation gives', async (count) => {
  const question = numbers(count, count * DIMENSIONS)
  const weights = Array.from({ length: count }, (_, i) => (i === 1 ? 0 : 0.5 + i))
  const texts = [1, 5, 60].map((tokens, i) => numbers(100 + i, tokens * DIMENSIONS))
  // The same text, and its opposite.
  texts.push(
    question,
    question.map((value) => -value),
  )
  const found = await tokenMatches({ states: question, weights, dimensions: DIMENSIONS }, texts.map(bitsOf), noPause)
  for (const [i, text] of texts.entries()) expect(found[i]).toBeCloseTo(exactly(question, weights, text), 3)
})

it('bits that lie anywhere in a buffer are read as well', async () => {
  const bits = bitsOf(numbers(3, 4 * DIMENSIONS))
  const within = new Uint8Array(bits.length + 3)
  within.set(bits, 3)
  const question = { states: numbers(9, DIMENSIONS), weights: [1], dimensions: DIMENSIONS }
  const [one, other] = await tokenMatches(question, [bits, within.subarray(3)], noPause)
  expect(one).toBe(other)
})

it('states that stray far, all of one sign or all zero, reach no neighbour', async () => {
  const states = new Float32Array(3 * DIMENSIONS).fill(1e6, 0, DIMENSIONS).fill(-1e-6, DIMENSIONS, 2 * DIMENSIONS)
  const all = new Uint8Array(DIMENSIONS >> 3).fill(255)
  const match = async (weights: readonly number[]) => (await tokenMatches({ states, weights, dimensions: DIMENSIONS }, [all], noPause))[0]
  expect(await match([1, 1, 0])).toBeCloseTo(0, 3)
  expect(await match([1, 0, 0])).toBeCloseTo(1, 3)
  expect(await match([0, 1, 0])).toBeCloseTo(-1, 3)
  expect(await match([0, 0, 1])).toBeCloseTo(0, 3)
})

it('a text without tokens, and a question that counts for nothing, match nothing', async () => {
  const states = numbers(1, DIMENSIONS)
  expect(await tokenMatches({ states, weights: [1], dimensions: DIMENSIONS }, [new Uint8Array()], noPause)).toEqual([undefined])
  expect(await tokenMatches({ states, weights: [0], dimensions: DIMENSIONS }, [bitsOf(states)], noPause)).toEqual([undefined])
})
