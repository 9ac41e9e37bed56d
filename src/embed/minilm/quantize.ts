export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

export interface Quantized {
  readonly values: Int8Array
  readonly scales: Float32Array
}

const LARGEST = 127

export function quantizeRows(matrix: Matrix): Quantized {
  const { rows, columns, values } = matrix
  const result = { values: new Int8Array(values.length), scales: new Float32Array(rows) }
  for (let row = 0; row < rows; row++) {
    let largest = 0
    for (let at = row * columns; at < (row + 1) * columns; at++) largest = Math.max(largest, Math.abs(values[at] as number))
    const scale = Math.fround(largest / LARGEST) || 1
    result.scales[row] = scale
    for (let at = row * columns; at < (row + 1) * columns; at++) result.values[at] = Math.round((values[at] as number) / scale)
  }
  return result
}

/**
 * Transposed for the integer matrix product: one column per output. CPUs without VNNI add neighbouring products in 16 bits and saturate. So
 * two neighbours may not exceed 128 together (255 × 128 < 2¹⁵). This loses less precision than 7-bit weights.
 */
export function quantizeWeights(matrix: Matrix): Quantized {
  const { rows, columns, values } = matrix
  const result = { values: new Int8Array(values.length), scales: new Float32Array(rows) }
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    let largest = 0
    for (let at = start; at < start + columns; at += 2) {
      largest = Math.max(largest, Math.abs(values[at] as number) + Math.abs(values[at + 1] as number))
    }
    const scale = Math.fround(largest / LARGEST) || 1
    result.scales[row] = scale
    for (let column = 0; column < columns; column++) {
      result.values[column * rows + row] = Math.round((values[start + column] as number) / scale)
    }
  }
  return result
}

export function transposed(matrix: Matrix): Float32Array {
  const { rows, columns, values } = matrix
  const turned = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = values[row * columns + column] as number
  }
  return turned
}
