/** Texts of a run have equal length: no mask, no padding. */
import { given } from '../../core/given.ts'
import { DIMENSIONS, INPUT, OUTPUT, type Precision, STATES } from './engine.ts'
import { CONTRIB, createGraph, type Graph } from './graph.ts'
import { type Activation, floatLinear, int8Linear, type Layer, type Linear } from './linear.ts'
import type { Message } from './protobuf.ts'
import { quantizeRows } from './quantize.ts'
import { readSafetensors, toFloats, type Weights } from './safetensors.ts'
import { inPackage } from './weights.ts'

const INNER = 1536
const LAYERS = 6
const HEADS = 12
const VOCABULARY = 30_522
const POSITIONS = 512
const EPSILON = { float: 1e-12 }

/**
 * Quantization range in standard deviations: 8, more for a few outlier channels. Measured on English, code, JSON and other scripts; the
 * limit is √384 = 19.6.
 */
const DEVIATIONS = 8
const WIDE_CHANNELS: Readonly<Record<number, number>> = { 99: 20, 223: 16, 267: 16, 63: 14, 127: 14 }
/** Attention output; and GELU, at least -0.17 with rare peaks near 24, so each token gets its own scale. */
const ATTENDED = { low: -3.5, high: 3.5 }
const ACTIVATED = { least: -0.17 }

interface Builder {
  readonly graph: Graph
  readonly precision: Precision
  readonly linear: Linear
  floats(name: string, ...shape: number[]): Float32Array
  layer(names: readonly string[], rows: number, columns: number): Layer
}

export function readWeights(): Weights {
  return inPackage('model/model.fp16.safetensors', readSafetensors)
}

export function buildModel(weights: Weights, precision: Precision): Message {
  const builder = createBuilder(weights, precision)
  const { graph } = builder
  let value = embeddings(builder)
  for (let number = 0; number < LAYERS; number++) {
    value = encoderLayer(builder, value, {
      name: `encoder.layer.${number}`,
      ...given({ output: number === LAYERS - 1 ? STATES : undefined }),
    })
  }
  const mean = graph.add('ReduceMean', [value.value, graph.longs([1])], { attributes: { keepdims: 0 } })
  graph.add('LpNormalization', [mean], { attributes: { axis: -1, p: 2 }, output: OUTPUT })
  return graph.finish(
    'all-MiniLM-L6-v2',
    [{ name: INPUT, type: 'int64', shape: ['texts', 'tokens'] }],
    [
      { name: OUTPUT, type: 'float', shape: ['texts', DIMENSIONS] },
      { name: STATES, type: 'float', shape: ['texts', 'tokens', DIMENSIONS] },
    ],
  )
}

function createBuilder(weights: Weights, precision: Precision): Builder {
  const floats = (name: string, ...shape: number[]) => toFloats(weights.get(name, shape))
  return {
    graph: createGraph(),
    precision,
    linear: precision === 'int8' ? int8Linear : floatLinear,
    floats,
    layer: (names, rows, columns) => ({
      weight: { rows: rows * names.length, columns, values: joined(names.map((name) => floats(`${name}.weight`, rows, columns))) },
      bias: joined(names.map((name) => floats(`${name}.bias`, rows))),
    }),
  }
}

function embeddings(builder: Builder): Activation {
  const { graph, floats } = builder
  const types = floats('embeddings.token_type_embeddings.weight', 2, DIMENSIONS)
  // Every token has type 0, so its type vector is added to every position.
  const positions = floats('embeddings.position_embeddings.weight', POSITIONS, DIMENSIONS).map(
    (value, at) => value + (types[at % DIMENSIONS] as number),
  )
  const length = graph.add('Shape', [INPUT], { attributes: { start: 1 } })
  const position = graph.add('Slice', [graph.floats([POSITIONS, DIMENSIONS], positions), graph.longs([0]), length, graph.longs([0])])
  return normalized(builder, graph.add('Add', [words(builder), position]), { name: 'embeddings.LayerNorm' })
}

function words({ graph, floats, precision }: Builder): string {
  const values = floats('embeddings.word_embeddings.weight', VOCABULARY, DIMENSIONS)
  if (precision === 'fp32') return graph.add('Gather', [graph.floats([VOCABULARY, DIMENSIONS], values), INPUT])
  const quantized = quantizeRows({ rows: VOCABULARY, columns: DIMENSIONS, values })
  const rows = graph.add('Gather', [graph.constant('int8', [VOCABULARY, DIMENSIONS], quantized.values), INPUT])
  const scales = graph.add('Gather', [graph.floats([VOCABULARY, 1], quantized.scales), INPUT])
  return graph.add('Mul', [graph.add('Cast', [rows], { attributes: { to: 1 } }), scales])
}

interface Named {
  readonly name: string
  readonly output?: string
}

function encoderLayer(builder: Builder, input: Activation, { name, output }: Named): Activation {
  const { graph, linear, layer } = builder
  const sides = ['query', 'key', 'value'].map((side) => `${name}.attention.self.${side}`)
  const parts = graph.split(linear(graph, input, layer(sides, DIMENSIONS, DIMENSIONS)), 2, 3)
  const attended = graph.add('MultiHeadAttention', parts, { attributes: { num_heads: HEADS }, domain: CONTRIB })
  const mixed = linear(graph, { value: attended, range: ATTENDED }, layer([`${name}.attention.output.dense`], DIMENSIONS, DIMENSIONS))
  const middle = normalized(builder, graph.add('Add', [mixed, input.value]), { name: `${name}.attention.output.LayerNorm` })
  const activated = graph.add('Gelu', [linear(graph, middle, layer([`${name}.intermediate.dense`], INNER, DIMENSIONS))])
  const reduced = linear(graph, { value: activated, range: ACTIVATED }, layer([`${name}.output.dense`], DIMENSIONS, INNER))
  return normalized(builder, graph.add('Add', [reduced, middle.value]), { name: `${name}.output.LayerNorm`, ...given({ output }) })
}

function normalized({ graph, floats }: Builder, value: string, { name, output }: Named): Activation {
  const scale = floats(`${name}.weight`, DIMENSIONS)
  const shift = floats(`${name}.bias`, DIMENSIONS)
  const inputs = [value, graph.floats([DIMENSIONS], scale), graph.floats([DIMENSIONS], shift)]
  const reach = scale.map(
    (spread, channel) => Math.abs(shift[channel] as number) + (WIDE_CHANNELS[channel] ?? DEVIATIONS) * Math.abs(spread),
  )
  const attributes = { axis: -1, epsilon: EPSILON }
  return { value: graph.add('LayerNormalization', inputs, { attributes, ...given({ output }) }), range: { reach } }
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
