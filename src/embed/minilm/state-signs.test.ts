import { expect, it } from 'vitest'
import { stateSigns } from './state-signs.ts'

const state = (...signs: number[]) => signs.map((sign) => sign * 0.5)

it('a bit is set where a number is above zero, the first number in the lowest bit', () => {
  const states = Float32Array.from([...state(1, -1, -1, -1, -1, -1, -1, -1), ...state(-1, 0, 1, -1, -1, -1, -1, 1)])
  expect([...stateSigns(states, { pieces: ['a', '##b'], dimensions: 8 })]).toEqual([0b1, 0b1000_0100])
})

it('marks are left out, words of any script and numbers are not', () => {
  const pieces = ['fix', '.', '(', '7', '##é', '-', '日']
  const states = Float32Array.from(pieces.flatMap((_piece, token) => state(...Array.from({ length: 8 }, (_, d) => (d === token ? 1 : -1)))))
  expect([...stateSigns(states, { pieces, dimensions: 8 })]).toEqual([1 << 0, 1 << 3, 1 << 4, 1 << 6])
})

it('a text of marks alone has none', () => {
  expect(stateSigns(new Float32Array(16), { pieces: ['.', '!'], dimensions: 8 })).toHaveLength(0)
})
