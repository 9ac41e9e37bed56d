/** Does not parse; holds one member or list element. */
import { MnemonicError } from '../../../core/error.ts'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'

export interface DocumentItem {
  readonly key: string
  /** Value of a member or list element; undefined above LARGEST_RECORD. */
  readonly bytes: Buffer | undefined
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125

/** Throws NOT_THIS_FORMAT if the document is no object, VALIDATION_ERROR if truncated or followed by data. */
export async function* documentItems(
  chunks: AsyncIterable<Buffer>,
  list: string,
  path: string,
): AsyncGenerator<DocumentItem, void, undefined> {
  const scan = newScan(list)
  for await (const chunk of chunks) {
    const wrong = scanChunk(scan, chunk)
    if (wrong !== undefined) throw refused(wrong, path)
    for (const item of scan.items.splice(0)) yield item
  }
  if (scan.depth !== 0 || !scan.begun) throw refused(scan.begun ? 'the document is cut off' : 'no JSON object', path)
}

interface Scan {
  readonly list: string
  readonly items: DocumentItem[]
  begun: boolean
  depth: number
  inList: boolean
  inString: boolean
  escaped: boolean
  key: string | undefined
  pieces: Buffer[]
  /** Size so far; beyond the limit the pieces are dropped. */
  held: number
}

function newScan(list: string): Scan {
  return { list, items: [], begun: false, depth: 0, inList: false, inString: false, escaped: false, key: undefined, pieces: [], held: 0 }
}

function scanChunk(scan: Scan, chunk: Buffer): string | undefined {
  let from = 0
  for (let i = 0; i < chunk.length; i++) {
    const byte = chunk[i] as number
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false
      else if (byte === BACKSLASH) scan.escaped = true
      else if (byte === QUOTE) scan.inString = false
      continue
    }
    if (scan.depth === 0) {
      const wrong = outside(scan, byte)
      if (wrong !== undefined) return wrong
      from = i + 1
    } else if (byte === QUOTE) scan.inString = true
    else if (byte === OPEN || byte === OPEN_LIST) {
      if (enter(scan, byte, chunk.subarray(from, i))) from = i + 1
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (leave(scan, chunk.subarray(from, i))) from = i + 1
    } else if (scan.depth === (scan.inList ? 2 : 1) && (byte === COMMA || (byte === COLON && !scan.inList))) {
      if (byte === COMMA) finish(scan, chunk.subarray(from, i))
      else scan.key = nameOf(taken(scan, chunk.subarray(from, i)) ?? Buffer.alloc(0))
      from = i + 1
    }
  }
  if (from < chunk.length && scan.depth > 0) hold(scan, chunk.subarray(from))
  return undefined
}

function outside(scan: Scan, byte: number): string | undefined {
  if (byte <= 32 || (!scan.begun && (byte === 0xef || byte === 0xbb || byte === 0xbf))) return undefined
  if (scan.begun) return 'the document goes on after its end'
  if (byte !== OPEN) return 'no JSON object'
  scan.begun = true
  scan.depth = 1
  return undefined
}

function enter(scan: Scan, byte: number, before: Buffer): boolean {
  const begins = scan.depth === 1 && byte === OPEN_LIST && scan.key === scan.list && isBlank(scan, before)
  scan.depth += 1
  if (!begins) return false
  scan.inList = true
  scan.pieces = []
  scan.held = 0
  return true
}

function leave(scan: Scan, before: Buffer): boolean {
  const ends = scan.depth === (scan.inList ? 2 : 1)
  if (ends) {
    finish(scan, before)
    if (scan.inList) scan.key = undefined
    scan.inList = false
  }
  scan.depth -= 1
  return ends
}

function finish(scan: Scan, rest: Buffer): void {
  const bytes = taken(scan, rest)
  if (scan.key !== undefined && (bytes === undefined || bytes.some(isInk))) scan.items.push({ key: scan.key, bytes })
  if (!scan.inList) scan.key = undefined
}

function hold(scan: Scan, piece: Buffer): void {
  scan.held += piece.length
  if (scan.held > LARGEST_RECORD) scan.pieces = []
  else scan.pieces.push(piece)
}

function taken(scan: Scan, rest: Buffer): Buffer | undefined {
  const { pieces, held } = scan
  scan.pieces = []
  scan.held = 0
  if (held + rest.length > LARGEST_RECORD) return undefined
  return pieces.length === 0 ? rest : Buffer.concat([...pieces, rest])
}

function isBlank(scan: Scan, rest: Buffer): boolean {
  return [...scan.pieces, rest].every((piece) => !piece.some(isInk))
}

function isInk(byte: number): boolean {
  return byte > 32
}

function nameOf(bytes: Buffer): string {
  return bytes.toString('utf8').trim().replace(/^"|"$/g, '')
}

function refused(reason: string, path: string): MnemonicError {
  const code = reason === 'no JSON object' ? 'NOT_THIS_FORMAT' : 'VALIDATION_ERROR'
  return new MnemonicError(code, `cannot read ${path}: ${reason}`, { details: { path, reasons: [reason] } })
}
