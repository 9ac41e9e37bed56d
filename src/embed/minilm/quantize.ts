/** Floats as int8 with one scale a row. Symmetric: zero stays zero. */

export interface Matrix {
  readonly rows: number
  readonly columns: number
  /** Row by row. */
  readonly values: Float32Array
}

export interface Quantized {
  readonly values: Int8Array
  /** One for each row of the matrix that went in. */
  readonly scales: Float32Array
}

const LARGEST = 127

/** Each row by its own largest value. */
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
 * Weights of a layer (one row an output) for an integer matrix product, which wants them turned: one column an output.
 * Processors without VNNI add two neighbouring products in 16 bits and cut what does not fit; so no two neighbours may
 * exceed 128 together (255 × 128 < 2¹⁵). That costs little, where seven-bit weights, the usual way out, cost a bit.
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

/** Rows become columns. */
export function transposed(matrix: Matrix): Float32Array {
  const { rows, columns, values } = matrix
  const turned = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = values[row * columns + column] as number
  }
  return turned
}
