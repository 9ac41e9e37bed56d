import { bytesField, floatField, intField, type Message, message, messageField, stringField } from './protobuf.ts'

/** Numbers from onnx.proto. */
export const ElementType = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const
export type ElementType = keyof typeof ElementType

const KIND = { float: 1, int: 2, ints: 7 }

/** Plain numbers are ints; ONNX distinguishes 1 from 1.0. */
export type AttributeValue = number | { readonly float: number } | readonly number[]

export interface NodeParts {
  readonly type: string
  /** An empty name omits an optional input. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, AttributeValue>>
  /** Empty for standard operators. */
  readonly domain?: string
}

export function node(parts: NodeParts): Message {
  return message(
    ...parts.inputs.map((name) => stringField(1, name)),
    ...parts.outputs.map((name) => stringField(2, name)),
    stringField(3, parts.outputs[0] ?? ''),
    stringField(4, parts.type),
    ...Object.entries(parts.attributes ?? {}).map(([name, value]) => messageField(5, attribute(name, value))),
    ...(parts.domain ? [stringField(7, parts.domain)] : []),
  )
}

function attribute(name: string, value: AttributeValue): Message {
  if (typeof value === 'number') return message(stringField(1, name), intField(3, value), intField(20, KIND.int))
  if ('float' in value) return message(stringField(1, name), floatField(2, value.float), intField(20, KIND.float))
  return message(stringField(1, name), ...value.map((item) => intField(8, item)), intField(20, KIND.ints))
}

export interface TensorParts {
  readonly name: string
  readonly type: ElementType
  readonly shape: readonly number[]
  /** Little-endian, row-major, as raw_data. */
  readonly data: Uint8Array
}

export function tensor(parts: TensorParts): Message {
  return message(
    ...parts.shape.map((size) => intField(1, size)),
    intField(2, ElementType[parts.type]),
    stringField(8, parts.name),
    bytesField(9, parts.data),
  )
}

export interface ValueParts {
  readonly name: string
  readonly type: ElementType
  /** A string names a dynamic dimension. */
  readonly shape: readonly (number | string)[]
}

function value(parts: ValueParts): Message {
  const sizes = parts.shape.map((size) => messageField(1, typeof size === 'number' ? intField(1, size) : stringField(2, size)))
  const type = message(intField(1, ElementType[parts.type]), messageField(2, message(...sizes)))
  return message(stringField(1, parts.name), messageField(2, messageField(1, type)))
}

export interface ModelParts {
  readonly name: string
  readonly nodes: readonly Message[]
  readonly tensors: readonly Message[]
  readonly inputs: readonly ValueParts[]
  readonly outputs: readonly ValueParts[]
  readonly opsets: Readonly<Record<string, number>>
  readonly irVersion: number
}

export function model(parts: ModelParts): Message {
  const graph = message(
    ...parts.nodes.map((item) => messageField(1, item)),
    stringField(2, parts.name),
    ...parts.tensors.map((item) => messageField(5, item)),
    ...parts.inputs.map((item) => messageField(11, value(item))),
    ...parts.outputs.map((item) => messageField(12, value(item))),
  )
  const opsets = Object.entries(parts.opsets).map(([domain, version]) => message(stringField(1, domain), intField(2, version)))
  return message(
    intField(1, parts.irVersion),
    stringField(2, 'mnemonic'),
    messageField(7, graph),
    ...opsets.map((opset) => messageField(8, opset)),
  )
}
