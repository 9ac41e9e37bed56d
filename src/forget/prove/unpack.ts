/** Unpacks nested archives for the scan. Memory and output are bounded; writes nothing. */

import { PassThrough, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { bunzip2 } from './bunzip2.ts'
import { type Source, zipEntries } from './zip-entries.ts'

export interface UnpackOptions {
  readonly onLayer: (layer: AsyncIterable<Buffer>) => Promise<void>
  readonly signal?: AbortSignal | undefined
  /** Brotli has no magic number: known by file name. */
  readonly isBrotli?: boolean
  readonly mostBytes?: number
}

/** Per file, against decompression bombs. */
const MOST_BYTES = 256 << 20
/** Most bytes of a packed layer held in memory. */
const MOST_HELD = 32 << 20
const DEEPEST = 4
const PIECE = 1 << 18

class CannotUnpack extends Error {}

interface State extends UnpackOptions {
  left: number
}

/** True if not packed or fully read. */
export async function unpack(source: Source, options: UnpackOptions): Promise<boolean> {
  const state: State = { ...options, left: options.mostBytes ?? MOST_BYTES }
  if (options.isBrotli !== true) return layersOf(source, state, 0)
  try {
    return await give(through(createBrotliDecompress(), chunksOf(source)), state, 0)
  } catch (error) {
    state.signal?.throwIfAborted()
    if (error instanceof CannotUnpack || isDamage(error)) return false
    throw error
  }
}

async function layersOf(source: Source, state: State, depth: number): Promise<boolean> {
  const head = await source.slice(0, HEAD)
  if (isTar(head)) return depth < DEEPEST && tarLayers(source, state, depth)
  const format = isProgram(head) && (await zipEntries(source))?.length ? 'zip' : formatOf(head)
  if (format === undefined) return true
  if (format === 'unknown' || depth >= DEEPEST) return false
  const layer = (chunks: AsyncIterable<Buffer>) => give(chunks, state, depth)
  try {
    if (format === 'zip') return await zipLayers(source, state, depth)
    if (format === 'png') return await pngLayers(source, layer)
    if (format === 'bzip2') return source.size <= MOST_HELD && (await layer(blocksOf(await source.slice(0, source.size))))
    if (format === 'zstd') {
      const { unpacked } = await import('../../ingest/capture/unpack.ts')
      return await layer(unpacked(chunksOf(source), 'a packed file'))
    }
    if (format === 'gzip') return await layer(through(createGunzip(), chunksOf(source)))
    // Any bytes may resemble these two formats.
    const guess = format === 'zlib' ? createInflate() : createInflateRaw()
    return await guessed(through(guess, chunksOf(source)), layer)
  } catch (error) {
    state.signal?.throwIfAborted()
    if (error instanceof CannotUnpack || isDamage(error)) return false
    throw error
  }
}

const HEAD = 512

function formatOf(head: Buffer): 'gzip' | 'zip' | 'png' | 'bzip2' | 'zstd' | 'zlib' | 'deflate' | 'unknown' | undefined {
  const begins = (...bytes: readonly number[]) => bytes.every((byte, i) => head[i] === byte)
  if (begins(0x1f, 0x8b)) return 'gzip'
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return 'zip'
  if (begins(0x89, 0x50, 0x4e, 0x47)) return 'png'
  if (begins(0x42, 0x5a, 0x68) && begins(0x42, 0x5a, 0x68, head[3] as number, 0x31, 0x41, 0x59)) return 'bzip2'
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return 'zstd'
  if (UNKNOWN.some((magic) => head.subarray(0, magic.length).equals(magic))) return 'unknown'
  const [first = 0, second = 0] = head
  if ((first & 15) === 8 && first <= 0x78 && ((first << 8) | second) % 31 === 0) return 'zlib'
  return isText(head) || head.length < 3 || head.toString('latin1', 0, 15) === 'SQLite format 3' ? undefined : 'deflate'
}

/** Unsupported: xz, lzma, 7z, rar, lz4, lzip, compress, PDF (font-encoded text), and files encrypted by OpenSSL or age. */
const UNKNOWN = [
  '\xfd7zXZ\0',
  ']\0\0',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  '\x04\x22\x4d\x18',
  'LZIP',
  '\x1f\x9d',
  '%PDF-',
  'Salted__',
  'age-encryption.org',
].map((magic) => Buffer.from(magic, 'latin1'))

function isText(head: Buffer): boolean {
  return (
    head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13 || byte === 27) &&
    !head.toString('utf8', 0, head.length - 4).includes('\ufffd')
  )
}

async function give(chunks: AsyncIterable<Buffer>, state: State, depth: number): Promise<boolean> {
  let held: Buffer[] | undefined
  let size = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      state.signal?.throwIfAborted()
      state.left -= chunk.length
      if (state.left < 0) throw new CannotUnpack('too large')
      if (size === 0 && chunk.length > 0 && mayHoldPacked(chunk)) held = []
      size += chunk.length
      held?.push(chunk)
      yield chunk
      if (size > MOST_HELD && held !== undefined) throw new CannotUnpack('too large to be looked into')
    }
  }
  await state.onLayer(counted())
  if (held === undefined) return true
  const bytes = Buffer.concat(held)
  return layersOf(inMemory(bytes), state, depth + 1)
}

function mayHoldPacked(head: Buffer): boolean {
  const format = formatOf(head.subarray(0, HEAD))
  return isTar(head) || (format !== undefined && format !== 'deflate' && format !== 'zlib')
}

/** Self-extracting archives start like this. */
function isProgram(head: Buffer): boolean {
  return ['MZ', '\x7fELF', '#!'].some((mark) => head.toString('latin1', 0, mark.length) === mark)
}

function isTar(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar'
}

const BLOCK = 512

/** Plain members were searched with their layer. */
async function tarLayers(source: Source, state: State, depth: number): Promise<boolean> {
  let isWhole = true
  for (let at = 0; at + BLOCK <= source.size; ) {
    const length = Number.parseInt((await source.slice(at, BLOCK)).toString('latin1', 124, 136), 8)
    if (!Number.isFinite(length)) break
    const member = within(source, at + BLOCK, Math.min(length, source.size - at - BLOCK))
    if (mayHoldPacked(await member.slice(0, HEAD))) isWhole = (await layersOf(member, state, depth)) && isWhole
    at += BLOCK + Math.ceil(length / BLOCK) * BLOCK
  }
  return isWhole
}

const [STORED, DEFLATED, BZIPPED] = [0, 8, 12]

async function zipLayers(source: Source, state: State, depth: number): Promise<boolean> {
  const entries = await zipEntries(source)
  if (entries === undefined) return false
  let isWhole = true
  for (const { method, isEncrypted, offset, packed } of entries) {
    const bytes = () => chunksOf(source, offset, packed)
    const known = !isEncrypted && [STORED, DEFLATED, BZIPPED].includes(method)
    if (!known) isWhole = false
    else if (method === STORED) isWhole = (await give(bytes(), state, depth)) && isWhole
    else if (method === DEFLATED) isWhole = (await give(through(createInflateRaw(), bytes()), state, depth)) && isWhole
    else if (packed > MOST_HELD) isWhole = false
    else isWhole = (await give(blocksOf(await source.slice(offset, packed)), state, depth)) && isWhole
  }
  return isWhole
}

/** Plain text was searched in the raw file. */
async function pngLayers(source: Source, layer: (chunks: AsyncIterable<Buffer>) => Promise<boolean>): Promise<boolean> {
  let isWhole = true
  for (let at = 8; at + 12 <= source.size; ) {
    const head = await source.slice(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    if (type === 'zTXt' || type === 'iTXt') {
      const body = length > MOST_HELD ? undefined : await source.slice(at + 8, length)
      const packed = body && packedText(type, body)
      if (body === undefined) isWhole = false
      else if (packed !== undefined) isWhole = (await layer(through(createInflate(), chunksOf(inMemory(packed))))) && isWhole
    }
    at += 12 + length
  }
  return isWhole
}

function packedText(type: 'zTXt' | 'iTXt', body: Buffer): Buffer | undefined {
  const keyword = body.indexOf(0)
  if (type === 'zTXt') return body.subarray(keyword + 2)
  if (body[keyword + 1] !== 1) return undefined
  const language = body.indexOf(0, keyword + 3)
  return body.subarray(body.indexOf(0, language + 1) + 1)
}

async function guessed(chunks: AsyncIterable<Buffer>, layer: (chunks: AsyncIterable<Buffer>) => Promise<boolean>): Promise<boolean> {
  try {
    return await layer(chunks)
  } catch (error) {
    if (isDamage(error)) return true
    throw error
  }
}

function isDamage(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^Z_|^ERR_BROTLI|^ERR__ERROR_FORMAT|^ERR_BUFFER|^ERR_OUT_OF_RANGE|VALIDATION_ERROR/.test(code) || /bzip2/.test(message)
}

async function* through(transform: Transform, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const out = new PassThrough()
  const fed = pipeline(Readable.from(chunks), transform, out)
  fed.catch(() => undefined) // awaited below; without this, a rejection meanwhile is "unhandled" and ends the process
  try {
    for await (const chunk of out) yield chunk as Buffer
    await fed
  } finally {
    out.destroy()
    transform.destroy()
  }
}

async function* chunksOf(source: Source, offset = 0, length = source.size): AsyncGenerator<Buffer> {
  for (let at = offset; at < offset + length; at += PIECE) yield await source.slice(at, Math.min(PIECE, offset + length - at))
}

async function* blocksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* bunzip2(bytes)
}

function within(source: Source, from: number, size: number): Source {
  return { size, slice: (offset, length) => source.slice(from + offset, Math.max(0, Math.min(length, size - offset))) }
}

export function inMemory(bytes: Buffer): Source {
  return { size: bytes.length, slice: async (offset, length) => bytes.subarray(offset, offset + length) }
}
