/** Does not parse; holds one element. */
import { MnemonicError } from '../../../core/error.ts'

export interface JsonElement {
  readonly bytes: Buffer | undefined
  /** Byte offsets; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

export interface JsonElementsOptions {
  readonly name: string
  readonly limit: number
}

/**
 * Treats a single object as the only element. Throws VALIDATION_ERROR at the first invalid byte between elements, or if truncated. The
 * caller validates elements.
 */
export async function* jsonElements(
  chunks: AsyncIterable<Buffer>,
  { name, limit }: JsonElementsOptions,
): AsyncGenerator<JsonElement, void, undefined> {
  const scan: Scan = { name, at: 'beginning', single: false, depth: 0, inString: false, escaped: false }
  let offset = 0
  let start = 0
  let held = 0
  let pieces: Buffer[] = []
  for await (const chunk of chunks) {
    let i = 0
    while (i < chunk.length) {
      if (scan.at !== 'inside' && scan.at !== 'scalar') {
        i = toElement(scan, chunk, { from: i, offset })
        if (i === chunk.length) break
        start = offset + i
      }
      const end = scan.at === 'scalar' ? toScalarEnd(scan, chunk, i) : toElementEnd(scan, chunk, i)
      held += end - i
      if (held <= limit) pieces.push(chunk.subarray(i, end))
      else pieces = []
      i = end
      if (scan.at === 'inside' || scan.at === 'scalar') break
      yield { bytes: held > limit ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces), start, end: offset + end }
      held = 0
      pieces = []
    }
    offset += chunk.length
  }
  if (scan.at !== 'end' && scan.at !== 'beginning') throw damaged(name, offset, 'it ends too early')
}

interface Scan {
  readonly name: string
  at: 'beginning' | 'before' | 'inside' | 'scalar' | 'after' | 'end'
  single: boolean
  depth: number
  inString: boolean
  escaped: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf]

/** Returns the chunk's length if no element starts in it. */
function toElement(scan: Scan, chunk: Buffer, { from, offset }: { from: number; offset: number }): number {
  for (let i = from; i < chunk.length; i++) {
    const byte = chunk[i] as number
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue
    const { at } = scan
    const isMark = at === 'beginning' && byte === BYTE_ORDER_MARK[offset + i]
    if (isMark) continue
    if (at === 'beginning' && byte === OPEN_LIST) scan.at = 'before'
    else if (at === 'after' && byte === COMMA) scan.at = 'before'
    else if ((at === 'before' || at === 'after') && byte === CLOSE_LIST) scan.at = 'end'
    else if (at === 'before' && byte !== COMMA) return enter(scan, byte === OPEN_OBJECT || byte === OPEN_LIST ? 'inside' : 'scalar', i)
    else if (at === 'beginning' && byte === OPEN_OBJECT) {
      scan.single = true
      return enter(scan, 'inside', i)
    } else throw damaged(scan.name, offset + i, at === 'end' ? 'something follows its end' : 'not a list of JSON objects')
  }
  return chunk.length
}

function enter(scan: Scan, at: 'inside' | 'scalar', i: number): number {
  scan.at = at
  scan.depth = 0
  return i
}

/** Returns the chunk's length if the element does not end in it. */
function toElementEnd(scan: Scan, chunk: Buffer, from: number): number {
  // Locals for speed: every byte of an export passes this loop.
  let { depth, inString, escaped } = scan
  let i = from
  const { length } = chunk
  while (i < length) {
    const byte = chunk[i++] as number
    if (inString) {
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) {
        scan.at = scan.single ? 'end' : 'after'
        break
      }
    }
  }
  Object.assign(scan, { depth, inString, escaped })
  return i
}

/** Returns the chunk's length if the scalar does not end in it. */
function toScalarEnd(scan: Scan, chunk: Buffer, from: number): number {
  for (let i = from; i < chunk.length; i++) {
    const byte = chunk[i] as number
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false
      else if (byte === BACKSLASH) scan.escaped = true
      else if (byte === QUOTE) scan.inString = false
    } else if (byte === QUOTE) scan.inString = true
    else if (byte === COMMA || byte === CLOSE_LIST) {
      scan.at = 'after'
      return i
    }
  }
  return chunk.length
}

export function damaged(name: string, offset: number, reason: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `${name}: ${reason}, at byte ${offset.toLocaleString('en-US')}`, {
    details: { path: name, offset, reasons: [reason] },
    hint: 'The file is damaged or not complete: ask for a new export, or copy it again.',
  })
}
