import { type AttributeValue, type ElementType, model, node, tensor, type ValueParts } from './onnx.ts'
import type { Message } from './protobuf.ts'

export const CONTRIB = 'com.microsoft'

/** Opset of ONNX 1.15, the oldest with Gelu. */
const OPSETS = { '': 20, [CONTRIB]: 1 }
const IR_VERSION = 9

export interface OperatorOptions {
  readonly attributes?: Readonly<Record<string, AttributeValue>>
  readonly domain?: string
  readonly output?: string
}

export interface Graph {
  /** Returns the result's name. An empty input means omitted. */
  add(type: string, inputs: readonly string[], options?: OperatorOptions): string
  split(input: string, axis: number, count: number): string[]
  floats(shape: readonly number[], values: Float32Array | readonly number[]): string
  longs(values: readonly number[]): string
  constant(type: ElementType, shape: readonly number[], values: ArrayBufferView): string
  finish(name: string, inputs: readonly ValueParts[], outputs: readonly ValueParts[]): Message
}

export function createGraph(): Graph {
  const nodes: Message[] = []
  const tensors: Message[] = []
  const graph: Graph = {
    add(type, inputs, { attributes = {}, domain = '', output = `v${nodes.length}` } = {}) {
      nodes.push(node({ type, inputs, outputs: [output], attributes, domain }))
      return output
    },
    split(input, axis, count) {
      const outputs = Array.from({ length: count }, (_, part) => `v${nodes.length}.${part}`)
      nodes.push(node({ type: 'Split', inputs: [input], outputs, attributes: { axis, num_outputs: count } }))
      return outputs
    },
    floats: (shape, values) => graph.constant('float', shape, values instanceof Float32Array ? values : Float32Array.from(values)),
    longs: (values) => graph.constant('int64', [values.length], BigInt64Array.from(values, BigInt)),
    constant(type, shape, values) {
      const name = `c${tensors.length}`
      tensors.push(tensor({ name, type, shape, data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength) }))
      return name
    },
    finish: (name, inputs, outputs) => model({ name, nodes, tensors, inputs, outputs, opsets: OPSETS, irVersion: IR_VERSION }),
  }
  return graph
}
