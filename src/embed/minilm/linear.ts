/** A text's result must not depend on its batch. */
import { CONTRIB, type Graph } from './graph.ts'
import { type Matrix, quantizeWeights, transposed } from './quantize.ts'

export interface Activation {
  readonly value: string
  readonly range: Range
}

/** Value range: per channel, fixed, or computed per token with a minimum. Values outside are clipped. */
export type Range = { readonly reach: Float32Array } | { readonly low: number; readonly high: number } | { readonly least: number }

export interface Layer {
  /** One row per output. */
  readonly weight: Matrix
  readonly bias: Float32Array
}

export type Linear = (graph: Graph, input: Activation, layer: Layer) => string

export const floatLinear: Linear = (graph, input, { weight, bias }) => {
  const product = graph.add('MatMul', [input.value, graph.floats([weight.columns, weight.rows], transposed(weight))])
  return graph.add('Add', [product, graph.floats([weight.rows], bias)])
}

const STEPS = 255

export const int8Linear: Linear = (graph, input, { weight, bias }) => {
  const { value, low, high, reach, rows } = fitted(graph, input)
  const step = graph.floats([], [(high - low) / STEPS])
  const zero = graph.constant('uint8', [], Uint8Array.of(Math.round((-low / (high - low)) * STEPS)))
  const quantized = graph.add('QuantizeLinear', [value, step, zero])
  const { values, scales } = quantizeWeights(reach ? scaledColumns(weight, reach) : weight)
  const weights = graph.constant('int8', [weight.columns, weight.rows], values)
  const inputs = [quantized, weights, step, graph.floats([weight.rows], scales), zero, '']
  const shift = graph.floats([weight.rows], bias)
  if (!rows) return graph.add('MatMulIntegerToFloat', [...inputs, shift], { domain: CONTRIB })
  const product = graph.add('MatMulIntegerToFloat', inputs, { domain: CONTRIB })
  return graph.add('Add', [graph.add('Mul', [product, rows]), shift])
}

/** Scaled to one quantization range; the inverse scale moves into the weights or the product. */
interface Fitted {
  readonly value: string
  readonly low: number
  readonly high: number
  readonly reach?: Float32Array
  readonly rows?: string
}

function fitted(graph: Graph, { value, range }: Activation): Fitted {
  if ('reach' in range) {
    const inverse = graph.floats(
      [range.reach.length],
      range.reach.map((reach) => 1 / reach),
    )
    return { value: graph.add('Mul', [value, inverse]), low: -1, high: 1, reach: range.reach }
  }
  if ('high' in range) return { value, ...range }
  const largest = graph.add('ReduceMax', [value, graph.longs([-1])], { attributes: { keepdims: 1 } })
  const rows = graph.add('Max', [largest, graph.floats([], [1])])
  return { value: graph.add('Mul', [value, graph.add('Reciprocal', [rows])]), low: range.least, high: 1, rows }
}

function scaledColumns(matrix: Matrix, factors: Float32Array): Matrix {
  const { rows, columns } = matrix
  return { rows, columns, values: matrix.values.map((value, at) => value * (factors[at % columns] as number)) }
}
