/** Never throws, and never reads more than the given bytes. */
import { constants, inflateRawSync } from 'node:zlib'
import { HEAD_BYTES } from '../head.ts'

export interface ZipHeadEntry {
  readonly name: string
  readonly begin: Buffer
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')
const HEADER_BYTES = 30
const SIZES_FOLLOW = 8
const DEFLATED = 8
/** Limits decompressed output to about a thousand times this. */
const LOOK = 16 * 1024

export function isZip(head: Buffer): boolean {
  return head.subarray(0, 4).equals(LOCAL_HEADER) || head.subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1'))
}

export function zipHead(head: Buffer): ZipHeadEntry[] {
  const entries: ZipHeadEntry[] = []
  let at = head.indexOf(LOCAL_HEADER)
  while (at === 0 || at > 0) {
    if (at + HEADER_BYTES > head.length) break
    const nameLength = head.readUInt16LE(at + 26)
    const data = at + HEADER_BYTES + nameLength + head.readUInt16LE(at + 28)
    const name = head.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + nameLength)
    const size = head.readUInt32LE(at + 18)
    const known = (head.readUInt16LE(at + 6) & SIZES_FOLLOW) === 0 && size !== 0xffffffff
    const end = known ? data + size : head.length
    entries.push({ name, begin: unpacked(head.subarray(data, end), head.readUInt16LE(at + 8)) })
    at = head.indexOf(LOCAL_HEADER, known ? end : data)
  }
  return entries
}

function unpacked(bytes: Buffer, method: number): Buffer {
  if (method !== DEFLATED) return method === 0 ? bytes : Buffer.alloc(0)
  try {
    return inflateRawSync(bytes.subarray(0, LOOK), { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0) // damaged: reported when it is read
  }
}

export interface JsonHead {
  readonly shape: 'list' | 'object' | undefined
  /** Keys with the first byte of each value, per object. */
  readonly objects: readonly ReadonlyMap<string, string>[]
}

export function jsonHead(bytes: Buffer): JsonHead {
  const text = bytes.toString('latin1', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0, HEAD_BYTES)
  const begin = /\S/.exec(text)?.index ?? 0
  const shape = text[begin] === '[' ? 'list' : text[begin] === '{' ? 'object' : undefined
  return { shape, objects: shape === undefined ? [] : objectsOf(text, begin, shape === 'list' ? 2 : 1) }
}

/** Strings, brackets and colons; a lone quote is a truncated string. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"|[[\]{}:"]/gs

function objectsOf(text: string, begin: number, level: number): Map<string, string>[] {
  const objects: Map<string, string>[] = []
  let depth = 0
  let last = ''
  TOKEN.lastIndex = begin
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[0]
    if (token === '"') break
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === level && token === '{') objects.push(new Map())
    } else if (token === '}' || token === ']') depth -= 1
    else if (depth !== level) continue
    else if (token !== ':') last = match[1] as string
    else objects.at(-1)?.set(last, /\S/.exec(text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 40))?.[0] ?? '')
  }
  return objects
}
