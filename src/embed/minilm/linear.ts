/** A linear layer in a graph, with floats or with int8 weights and activations. */
import { CONTRIB, type Graph } from './graph.ts'
import { type Matrix, quantizeWeights, transposed } from './quantize.ts'

/** A value in the graph and how far from zero it goes: fixed here, so that no text's vector depends on the texts beside it. */
export interface Activation {
  readonly value: string
  readonly range: Range
}

/** For each channel, both ways; or the same for all. What lies outside is cut to it. */
export type Range = { readonly reach: Float32Array } | { readonly low: number; readonly high: number }

export interface Layer {
  /** One row an output. */
  readonly weight: Matrix
  readonly bias: Float32Array
}

export type Linear = (graph: Graph, input: Activation, layer: Layer) => string

export const floatLinear: Linear = (graph, input, { weight, bias }) => {
  const product = graph.add('MatMul', [input.value, graph.floats([weight.columns, weight.rows], transposed(weight))])
  return graph.add('Add', [product, graph.floats([weight.rows], bias)])
}

const STEPS = 255

/**
 * Channels differ in size by a factor of ten, and one scale must serve all: so each is divided by its reach first, and the
 * weights that meet it are multiplied by the same.
 */
export const int8Linear: Linear = (graph, input, { weight, bias }) => {
  const { range } = input
  const even = 'reach' in range
  const { low, high } = even ? { low: -1, high: 1 } : range
  const value = even
    ? graph.add('Mul', [
        input.value,
        graph.floats(
          [weight.columns],
          range.reach.map((reach) => 1 / reach),
        ),
      ])
    : input.value
  const step = graph.floats([], [(high - low) / STEPS])
  const zero = graph.constant('uint8', [], Uint8Array.of(Math.round((-low / (high - low)) * STEPS)))
  const quantized = graph.add('QuantizeLinear', [value, step, zero])
  const { values, scales } = quantizeWeights(even ? scaledColumns(weight, range.reach) : weight)
  const inputs = [
    quantized,
    graph.constant('int8', [weight.columns, weight.rows], values),
    step,
    graph.floats([weight.rows], scales),
    zero,
    '',
    graph.floats([weight.rows], bias),
  ]
  return graph.add('MatMulIntegerToFloat', inputs, { domain: CONTRIB })
}

function scaledColumns(matrix: Matrix, factors: Float32Array): Matrix {
  const { rows, columns } = matrix
  return { rows, columns, values: matrix.values.map((value, at) => value * (factors[at % columns] as number)) }
}
