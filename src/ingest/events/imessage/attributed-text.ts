/** Decodes `attributedBody`: a typedstream, rarely a keyed archive. */
import { type Archived, archivedText, archivedUrl, isObject, readKeyedArchive } from './keyed-archive.ts'
import { isTypedStream, readTypedStream, type TypedClass, type TypedObject, type TypedValue } from './typedstream.ts'

export interface AttributedText {
  readonly text: string
  /** Contiguous; UTF-16 offsets. */
  readonly runs: readonly TextRun[]
}

export interface TextRun {
  readonly from: number
  readonly to: number
  /** Message part, which tapbacks and edits refer to. */
  readonly part?: number
  readonly attachment?: string
  readonly mention?: string
  readonly link?: string
}

/** Undefined if there is no text. Never throws. */
export function readAttributedText(bytes: Buffer): AttributedText | undefined {
  return isTypedStream(bytes) ? fromTypedStream(bytes) : fromKeyedArchive(bytes)
}

function fromTypedStream(bytes: Buffer): AttributedText | undefined {
  // Damage after the text is ignored.
  const { groups } = readTypedStream(bytes)
  const root = groups[0]?.[0]
  if (!isTypedObject(root)) return undefined
  if (!isA(root, 'NSAttributedString')) {
    const text = stringOf(root)
    return text === undefined ? undefined : { text, runs: [] }
  }
  const [[string] = [], ...rest] = root.groups
  const text = stringOf(string)
  return text === undefined ? undefined : { text, runs: typedRuns(rest, text.length) }
}

/** A run is an attribute number and a length; new attributes follow it. */
function typedRuns(groups: readonly (readonly TypedValue[])[], length: number): TextRun[] {
  const runs: TextRun[] = []
  const known = new Map<number, Facts>()
  let from = 0
  for (let i = 0; i < groups.length && from < length; i++) {
    const [index, size] = groups[i] ?? []
    if (typeof index !== 'number' || typeof size !== 'number' || size < 0) break
    const [attributes] = groups[i + 1] ?? []
    if (isTypedObject(attributes)) {
      i += 1
      if (!known.has(index)) known.set(index, factsOf(typedEntries(attributes)))
    }
    const to = Math.min(length, from + size)
    runs.push({ from, to, ...known.get(index) })
    from = to
  }
  return runs
}

type Facts = Omit<TextRun, 'from' | 'to'>

function factsOf(entries: Iterable<readonly [string, string | number | undefined]>): Facts {
  const facts: { part?: number; attachment?: string; mention?: string; link?: string } = {}
  for (const [key, value] of entries) {
    if (key === '__kIMMessagePartAttributeName' && typeof value === 'number') facts.part = value
    if (typeof value !== 'string') continue
    if (key === '__kIMFileTransferGUIDAttributeName') facts.attachment = value
    if (key === '__kIMMentionConfirmedMention') facts.mention = value
    if (key === '__kIMLinkAttributeName' || key === 'NSLink') facts.link = value
  }
  return facts
}

function isTypedObject(value: TypedValue | undefined): value is TypedObject {
  return typeof value === 'object' && value !== null && 'groups' in value
}

function isA(object: TypedObject, name: string): boolean {
  for (let kind: TypedClass | null = object.class, steps = 0; kind !== null && steps < 100; kind = kind.parent, steps++)
    if (kind.name === name) return true
  return false
}

function stringOf(value: TypedValue | undefined): string | undefined {
  if (!isTypedObject(value) || !isA(value, 'NSString')) return undefined
  const bytes = value.groups[0]?.[0]
  return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined
}

/** Count, then keys and values, one group each. */
function* typedEntries(dictionary: TypedObject): Generator<readonly [string, string | number | undefined]> {
  if (!isA(dictionary, 'NSDictionary')) return
  const values = dictionary.groups.slice(1).map(([value]) => value)
  for (let i = 0; i + 1 < values.length; i += 2) {
    const key = stringOf(values[i])
    if (key !== undefined) yield [key, plainOf(values[i + 1])]
  }
}

function plainOf(value: TypedValue | undefined): string | number | undefined {
  if (!isTypedObject(value)) return undefined
  if (isA(value, 'NSNumber')) {
    const number = value.groups[1]?.[0]
    return typeof number === 'number' ? number : undefined
  }
  if (isA(value, 'NSURL')) return stringOf(value.groups.flat().find(isTypedObject))
  return stringOf(value)
}

function fromKeyedArchive(bytes: Buffer): AttributedText | undefined {
  const root = readKeyedArchive(bytes)
  const text = archivedText(root?.field('NSString') ?? root)
  if (root === undefined || text === undefined) return undefined
  const attributes = root.field('NSAttributes')
  const facts = isObject(attributes)
    ? (attributes.class?.includes('Array') ? attributes.elements() : [attributes]).map((one) => factsOf(archivedEntries(one)))
    : []
  const info = root.field('NSAttributeInfo')
  const data = Buffer.isBuffer(info) ? info : isObject(info) ? info.field('NS.data') : undefined
  const runs = Buffer.isBuffer(data) ? archivedRuns(data, facts, text.length) : [{ from: 0, to: text.length, ...facts[0] }]
  return { text, runs }
}

function* archivedEntries(value: Archived): Generator<readonly [string, string | number | undefined]> {
  if (!isObject(value)) return
  for (const [name, entry] of value.entries()) {
    const key = archivedText(name)
    if (key !== undefined) yield [key, typeof entry === 'number' ? entry : archivedUrl(entry)]
  }
}

/** Alternating lengths and attribute numbers, as LEB128. */
function archivedRuns(data: Buffer, facts: readonly Facts[], length: number): TextRun[] {
  const numbers: number[] = []
  for (let value = 0, shift = 0, at = 0; at < data.length; at++) {
    const byte = data[at] as number
    value += (byte & 0x7f) * 2 ** shift
    shift = byte > 0x7f ? Math.min(shift + 7, 49) : 0
    if (byte > 0x7f) continue
    numbers.push(value)
    value = 0
  }
  const runs: TextRun[] = []
  for (let i = 0, from = 0; i + 1 < numbers.length && from < length; i += 2) {
    const to = Math.min(length, from + (numbers[i] as number))
    runs.push({ from, to, ...facts[numbers[i + 1] as number] })
    from = to
  }
  return runs
}
