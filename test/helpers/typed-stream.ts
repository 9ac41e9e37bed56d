/** Writes typed streams like NSArchiver. */

type Attribute = string | number | bigint | { readonly url: string }

export interface EncodedRun {
  /** In UTF-16 units. */
  readonly length: number
  readonly attributes: Readonly<Record<string, Attribute>>
}

export interface EncodeOptions {
  readonly bigEndian?: boolean
}

/** An NSMutableAttributedString, as in `attributedBody`. */
export function attributedBody(text: string, runs?: readonly EncodedRun[], options: EncodeOptions = {}): Buffer {
  const encoder = new Encoder(options.bigEndian ?? false)
  encoder.type('@')
  encoder.object(ATTRIBUTED, () => {
    encoder.type('@')
    encoder.string(text, MUTABLE_STRING)
    const known = new Map<string, number>()
    for (const { length, attributes } of runs ?? [{ length: text.length, attributes: { __kIMMessagePartAttributeName: 0 } }]) {
      const key = JSON.stringify(attributes, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
      const isNew = !known.has(key)
      if (isNew) known.set(key, known.size + 1)
      encoder.type('iI')
      encoder.number(known.get(key) as number)
      encoder.number(length)
      if (isNew) encoder.dictionary(attributes)
    }
  })
  return encoder.bytes()
}

const OBJECT = [['NSObject', 0]] as const
const STRING = [['NSString', 1], ...OBJECT] as const
const MUTABLE_STRING = [['NSMutableString', 1], ...STRING] as const
const ATTRIBUTED = [['NSMutableAttributedString', 0], ['NSAttributedString', 0], ...OBJECT] as const

type Classes = readonly (readonly [string, number])[]

export class Encoder {
  readonly #big: boolean
  readonly #chunks: Buffer[]
  readonly #texts: string[] = []
  readonly #objects: string[] = []

  constructor(bigEndian: boolean) {
    this.#big = bigEndian
    this.#chunks = [Buffer.from([4, 11]), Buffer.from(bigEndian ? 'typedstream' : 'streamtyped')]
    this.number(1000)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  raw(...bytes: number[]): void {
    this.#chunks.push(Buffer.from(bytes))
  }

  number(value: number | bigint): void {
    if (value >= -110 && value <= 127) this.raw(Number(value) & 0xff)
    else this.#long(value)
  }

  #long(value: number | bigint): void {
    const [mark, size] = value >= -32768 && value <= 32767 ? [0x81, 2] : value >= -(2 ** 31) && value < 2 ** 31 ? [0x82, 4] : [0x87, 8]
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(BigInt(value))
    const tail = bytes.subarray(8 - size)
    this.raw(mark)
    this.#chunks.push(this.#big ? tail : Buffer.from(tail).reverse())
  }

  double(value: number): void {
    const bytes = Buffer.alloc(8)
    if (this.#big) bytes.writeDoubleBE(value)
    else bytes.writeDoubleLE(value)
    this.raw(0x83)
    this.#chunks.push(bytes)
  }

  /** Written once, then referenced. */
  type(text: string): void {
    const at = this.#texts.indexOf(text)
    if (at >= 0) this.number(at - 110)
    else {
      this.#texts.push(text)
      this.raw(0x84)
      this.counted(Buffer.from(text))
    }
  }

  counted(bytes: Buffer): void {
    this.number(bytes.length)
    this.#chunks.push(bytes)
  }

  object(classes: Classes, contents: () => void): void {
    this.raw(0x84)
    this.#objects.push('object')
    this.#classes(classes)
    contents()
    this.raw(0x86)
  }

  #classes(classes: Classes): void {
    for (const [name, version] of classes) {
      const at = this.#objects.indexOf(`class ${name}`)
      if (at >= 0) {
        this.number(at - 110)
        return
      }
      this.#objects.push(`class ${name}`)
      this.raw(0x84)
      this.type(name)
      this.number(version)
    }
    this.raw(0x85)
  }

  string(text: string, classes: Classes = STRING): void {
    this.object(classes, () => {
      this.type('+')
      this.counted(Buffer.from(text))
    })
  }

  dictionary(entries: Readonly<Record<string, Attribute>>): void {
    this.type('@')
    this.object([['NSDictionary', 0], ...OBJECT], () => {
      this.type('i')
      this.number(Object.keys(entries).length)
      for (const [key, value] of Object.entries(entries)) {
        this.type('@')
        this.string(key)
        this.type('@')
        this.#value(value)
      }
    })
  }

  #value(value: Attribute): void {
    if (typeof value === 'string') this.string(value)
    else if (typeof value === 'object') {
      this.object([['NSURL', 0], ...OBJECT], () => {
        this.type('c')
        this.raw(0)
        this.type('@')
        this.string(value.url)
      })
    } else {
      this.object([['NSNumber', 0], ['NSValue', 0], ...OBJECT], () => {
        const type = typeof value === 'bigint' ? 'q' : 'i'
        this.type('*')
        this.cString(type)
        this.type(type)
        this.number(value)
      })
    }
  }

  cString(text: string): void {
    const at = this.#objects.indexOf(`c ${text}`)
    if (at >= 0) this.number(at - 110)
    else {
      this.raw(0x84)
      this.type(text)
      this.#objects.push(`c ${text}`)
    }
  }
}
