import { describe, expect, it } from 'vitest'
import { quantizeRows, quantizeWeights, transposed } from './quantize.ts'

const matrix = { rows: 3, columns: 4, values: Float32Array.of(1, -2, 0.5, 0.25, 0, 0, 0, 0, 100, 99, -100, 1) }

describe('quantize', () => {
  it('no value moves by more than half a step of its row', () => {
    const { values, scales } = quantizeRows(matrix)
    for (const [at, value] of matrix.values.entries()) {
      const scale = scales[Math.floor(at / 4)] as number
      expect(Math.abs((values[at] as number) * scale - value)).toBeLessThanOrEqual(scale / 2 + 1e-6)
    }
  })

  it('a row of zeros stays one', () => {
    expect([...quantizeRows(matrix).values.subarray(4, 8)]).toEqual([0, 0, 0, 0])
  })

  it('weights come out with one column an output', () => {
    const { values, scales } = quantizeWeights(matrix)
    const back = Array.from({ length: 4 }, (_, column) => (values[column * 3] as number) * (scales[0] as number))
    for (const [column, value] of back.entries()) expect(value).toBeCloseTo(matrix.values[column] as number, 1)
  })

  it('two neighbouring weights never overflow sixteen bits, whatever they meet', () => {
    const rows = 50
    const columns = 64
    let seed = 1
    const values = Float32Array.from({ length: rows * columns }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647 - 0.5
    })
    const { values: quantized } = quantizeWeights({ rows, columns, values })
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column += 2) {
        const pair = Math.abs(quantized[column * rows + row] as number) + Math.abs(quantized[(column + 1) * rows + row] as number)
        expect(pair * 255).toBeLessThan(2 ** 15)
      }
    }
  })

  it('turning a matrix twice gives it back', () => {
    const once = transposed(matrix)
    expect(once[1]).toBe(0)
    expect([...transposed({ rows: 4, columns: 3, values: once })]).toEqual([...matrix.values])
  })
})
