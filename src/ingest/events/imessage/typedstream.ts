/** The data is untrusted: lengths, nesting and value counts are bounded. */

export type TypedValue = number | bigint | string | Buffer | TypedObject | TypedClass | null | readonly TypedValue[]

export interface TypedClass {
  readonly name: string
  readonly version: number
  readonly parent: TypedClass | null
}

export interface TypedObject {
  readonly class: TypedClass | null
  /** One group per encoder call; may be cyclic. */
  readonly groups: TypedValue[][]
}

export interface TypedStream {
  readonly groups: readonly (readonly TypedValue[])[]
  /** Why parsing stopped early; `groups` keeps what was read. */
  readonly problem?: string
}

const INT_2 = -127
const INT_4 = -126
const REAL = -125
const NEW = -124
const NIL = -123
const END = -122
const INT_8 = -121
/** Values from here on are small numbers or reference indexes. */
const FIRST_NUMBER = -110

const DEEPEST = 100
/** A type may claim a billion values without bytes. */
const MOST_VALUES = 200_000

class Damaged extends Error {}

export function isTypedStream(bytes: Buffer): boolean {
  return bytes[0] === 4 && bytes[1] === 11 && /^(?:streamtyped|typedstream)$/.test(bytes.toString('latin1', 2, 13))
}

/** Never throws. */
export function readTypedStream(bytes: Buffer): TypedStream {
  if (!isTypedStream(bytes)) return { groups: [], problem: 'no typed stream of version 4' }
  const groups: TypedValue[][] = []
  try {
    const reader = new Reader(bytes, bytes.toString('latin1', 2, 13) === 'streamtyped')
    while (!reader.atEnd()) reader.group(groups)
    return { groups }
  } catch (error) {
    if (error instanceof Damaged) return { groups, problem: error.message }
    throw error
  }
}

class Reader {
  readonly #bytes: Buffer
  readonly #little: boolean
  #at = 13
  #values = 0
  /** Shared strings: types and class names. */
  readonly #texts: string[] = []
  /** Objects, classes and C strings, by start. */
  readonly #objects: (TypedObject | TypedClass | string)[] = []
  readonly #encodings = new Map<string, readonly string[]>()

  constructor(bytes: Buffer, little: boolean) {
    this.#bytes = bytes
    this.#little = little
    this.#number()
  }

  atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Appends values one by one, so those before damage survive. */
  group(into: TypedValue[][], depth = 0): void {
    const group: TypedValue[] = []
    into.push(group)
    const types = this.#sharedText()
    if (types === null) throw new Damaged('values without a type')
    const encodings = this.#encodings.get(types) ?? encodingsOf(types)
    this.#encodings.set(types, encodings)
    for (const type of encodings) this.#value(type, depth, group)
  }

  /** Registered before its content: an object may contain itself or be truncated. */
  #value(type: string, depth: number, into: TypedValue[]): void {
    if (++this.#values > MOST_VALUES) throw new Damaged('too many values')
    if (depth > DEEPEST) throw new Damaged('nested too deep')
    if (type[0] === '@') this.#object(depth, into)
    else into.push(this.#plain(type, depth))
  }

  #plain(type: string, depth: number): TypedValue {
    switch (type[0]) {
      case 'c':
        return this.#take(1).readInt8()
      case 'C':
      case 'B':
        return this.#take(1).readUInt8()
      case 's':
      case 'i':
      case 'l':
      case 'q':
        return this.#number()
      case 'S':
      case 'I':
      case 'L':
      case 'Q':
        return this.#unsigned()
      case 'f':
        return this.#real(4)
      case 'd':
        return this.#real(8)
      case '+':
        return this.#counted()
      case '*':
        return this.#cString()
      case '%':
      case ':':
        return this.#sharedText()
      case '#':
        return this.#class(depth)
      case '!':
        return null
      case '[':
        return this.#array(type, depth)
      case '{':
        return this.#struct(type, depth)
      default:
        throw new Damaged(`unknown type ${JSON.stringify(type.slice(0, 20))}`)
    }
  }

  #array(type: string, depth: number): TypedValue {
    const [, digits = '', element = ''] = /^\[(\d{1,10})(.+)\]$/s.exec(type) ?? []
    const count = Number(digits)
    if (digits === '') throw new Damaged('an array without a length')
    // Byte arrays are stored raw.
    if (element === 'c' || element === 'C') return this.#take(count)
    const values: TypedValue[] = []
    for (let i = 0; i < count; i++) this.#value(element, depth + 1, values)
    return values
  }

  #struct(type: string, depth: number): TypedValue {
    const equals = type.indexOf('=')
    const values: TypedValue[] = []
    for (const field of encodingsOf(type.slice(equals < 0 ? 1 : equals + 1, -1))) this.#value(field, depth + 1, values)
    return values
  }

  #object(depth: number, into: TypedValue[]): void {
    const head = this.#head()
    if (head !== NEW) {
      into.push(head === NIL ? null : this.#referred(head))
      return
    }
    const object: { class: TypedClass | null; groups: TypedValue[][] } = { class: null, groups: [] }
    this.#objects.push(object)
    into.push(object)
    object.class = this.#class(depth)
    while (this.#peek() !== END) this.group(object.groups, depth + 1)
    this.#at += 1
  }

  #class(depth: number): TypedClass | null {
    if (depth > DEEPEST) throw new Damaged('nested too deep')
    const head = this.#head()
    if (head === NIL) return null
    if (head !== NEW) {
      const found = this.#referred(head)
      if (typeof found === 'string' || !('name' in found)) throw new Damaged('a reference to something else than a class')
      return found
    }
    const made: { name: string; version: number; parent: TypedClass | null } = { name: '', version: 0, parent: null }
    this.#objects.push(made)
    made.name = this.#sharedText() ?? ''
    made.version = Number(this.#number())
    made.parent = this.#class(depth + 1)
    return made
  }

  #cString(): string | null {
    const head = this.#head()
    if (head === NIL) return null
    if (head !== NEW) {
      const found = this.#referred(head)
      if (typeof found !== 'string') throw new Damaged('a reference to something else than a text')
      return found
    }
    const text = this.#sharedText() ?? ''
    this.#objects.push(text)
    return text
  }

  #sharedText(): string | null {
    const head = this.#head()
    if (head === NIL) return null
    if (head === NEW) {
      const text = this.#counted().toString('utf8')
      this.#texts.push(text)
      return text
    }
    const text = this.#texts[this.#reference(head)]
    if (text === undefined) throw new Damaged('a reference to a text that is not there')
    return text
  }

  #referred(head: number): TypedObject | TypedClass | string {
    const found = this.#objects[this.#reference(head)]
    if (found === undefined) throw new Damaged('a reference to something that is not there')
    return found
  }

  #reference(head: number): number {
    return Number(this.#numberAfter(head)) - FIRST_NUMBER
  }

  #counted(): Buffer {
    return this.#take(Number(this.#unsigned()))
  }

  #number(): number | bigint {
    return this.#numberAfter(this.#head())
  }

  #numberAfter(head: number): number | bigint {
    if (head === INT_2) return this.#little ? this.#take(2).readInt16LE() : this.#take(2).readInt16BE()
    if (head === INT_4) return this.#little ? this.#take(4).readInt32LE() : this.#take(4).readInt32BE()
    if (head === INT_8) return plain(this.#little ? this.#take(8).readBigInt64LE() : this.#take(8).readBigInt64BE())
    if (head < FIRST_NUMBER) throw new Damaged('a mark where a number should be')
    return head
  }

  #unsigned(): number | bigint {
    const head = this.#head()
    if (head === INT_2) return this.#little ? this.#take(2).readUInt16LE() : this.#take(2).readUInt16BE()
    if (head === INT_4) return this.#little ? this.#take(4).readUInt32LE() : this.#take(4).readUInt32BE()
    if (head === INT_8) return plain(this.#little ? this.#take(8).readBigUInt64LE() : this.#take(8).readBigUInt64BE())
    if (head < FIRST_NUMBER) throw new Damaged('a mark where a number should be')
    return head & 0xff
  }

  #real(size: 4 | 8): number {
    const head = this.#head()
    // Whole numbers are stored as integers.
    if (head !== REAL) return Number(this.#numberAfter(head))
    const bytes = this.#take(size)
    if (size === 4) return this.#little ? bytes.readFloatLE() : bytes.readFloatBE()
    return this.#little ? bytes.readDoubleLE() : bytes.readDoubleBE()
  }

  #peek(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new Damaged('it ends too early')
    return byte > 127 ? byte - 256 : byte
  }

  #head(): number {
    const head = this.#peek()
    this.#at += 1
    return head
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new Damaged('it ends too early')
    const bytes = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return bytes
  }
}

function plain(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** `iI` is two types; `[12c]` and `{point=ff}` are one each. */
function encodingsOf(types: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < types.length; ) {
    const end = endOf(types, at)
    found.push(types.slice(at, end))
    at = end
  }
  return found
}

function endOf(types: string, from: number): number {
  let depth = 0
  for (let at = from; at < types.length; at++) {
    const character = types[at]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth === 0) return at + 1
    if (depth < 0 || depth > DEEPEST) break
  }
  throw new Damaged('a type that cannot be read')
}
