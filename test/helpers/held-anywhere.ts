/** Finds words in files in any encoding. Shares no code with the scan that it checks: unpacks and decodes first, then searches. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** ASCII letters and digits, lower case. */
export function heldAnywhere(folders: readonly string[], words: readonly string[]): Map<string, Set<string>> {
  const held = new Map<string, Set<string>>()
  for (const folder of folders) {
    for (const path of pathsBelow(folder)) {
      const found = new Set(words.filter((word) => path.toLowerCase().includes(word)))
      for (const layer of layersOf(contentOf(path))) for (const word of heldIn(layer, words)) found.add(word)
      if (found.size > 0) held.set(path, found)
    }
  }
  return held
}

/** Includes unreachable objects. */
export function heldInGit(repository: string, words: readonly string[]): Set<string> {
  const args = ['-C', repository, 'cat-file', '--batch-all-objects', '--batch']
  const { stdout, status, stderr } = spawnSync('git', args, { maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(String(stderr))
  return heldIn(stdout, words)
}

/** git packs its objects: see `heldInGit`. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'objects' && folder.endsWith('.git') ? [] : [path, ...pathsBelow(path)]
    return [path]
  })
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EISDIR' || code === 'ENXIO') return Buffer.alloc(0)
    if (code === 'ENOENT') return Buffer.from(readlinkSync(path)) // a broken link
    throw error
  }
}

function layersOf(bytes: Buffer, depth = 0): Buffer[] {
  if (depth > 4 || bytes.length < 8) return [bytes]
  return [bytes, ...unpacked(bytes).flatMap((layer) => layersOf(layer, depth + 1))]
}

function unpacked(bytes: Buffer): Buffer[] {
  const magic = bytes.toString('latin1', 0, 4)
  if (magic.startsWith('\x1f\x8b')) return attempt(() => gunzipSync(bytes))
  if (magic.startsWith('BZh')) return [spawnSync('bzip2', ['-dc'], { input: bytes, maxBuffer: 1 << 28 }).stdout]
  if (magic === 'PK\x03\x04') return places(bytes, 'PK\x03\x04').flatMap((at) => memberAt(bytes, at))
  if (magic === '\x89PNG') return places(bytes, 'zTXt', 'iTXt').flatMap((at) => streamsAfter(bytes.subarray(at)))
  if (bytes.toString('latin1', 257, 262) === 'ustar') return places(bytes, 'PK\x03\x04', '\x1f\x8b').map((at) => bytes.subarray(at))
  if (magic.startsWith('SQLi')) return []
  return [...attempt(() => inflateSync(bytes)), ...attempt(() => inflateRawSync(bytes))]
}

function memberAt(bytes: Buffer, at: number): Buffer[] {
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  return attempt(() => inflateRawSync(bytes.subarray(start)))
}

function streamsAfter(bytes: Buffer): Buffer[] {
  return Array.from({ length: 80 }, (_, at) => bytes.subarray(at)).flatMap((from) => attempt(() => inflateSync(from)))
}

function places(bytes: Buffer, ...marks: readonly string[]): number[] {
  const found: number[] = []
  for (const mark of marks) {
    const wanted = Buffer.from(mark, 'latin1')
    for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) found.push(at)
  }
  return found
}

function attempt(unpack: () => Buffer): Buffer[] {
  try {
    return [unpack()]
  } catch {
    return [] // another compression
  }
}

function heldIn(bytes: Buffer, words: readonly string[]): Set<string> {
  const text = bytes.toString('latin1')
  const found = new Set<string>()
  for (const form of decoded(text)) {
    const lower = form.toLowerCase()
    for (const word of words) if (lower.includes(word)) found.add(word)
  }
  return found
}

function* decoded(text: string): Generator<string> {
  yield text
  // UTF-16 and UTF-32 of ASCII: the same bytes with zeros between.
  yield text.replaceAll('\0', '')
  const joined = text.replace(/=[ \t]*\r?\n/g, '')
  yield joined.replace(/=([0-9A-F]{2})/gi, byteOf)
  let undone = text
  for (let times = 0; times < 3; times += 1) {
    undone = undone
      .replace(/%([0-9A-F]{2})/gi, byteOf)
      .replace(/\\+u00([0-9A-F]{2})/gi, byteOf)
      .replace(/&#x([0-9A-F]{2});/gi, byteOf)
    yield undone
  }
  const unbroken = text.replace(/\\[rn]|[\r\n]/g, '')
  for (const [run] of unbroken.matchAll(/[0-9A-Fa-f]{16,}/g))
    for (const at of [0, 1]) yield Buffer.from(run.slice(at), 'hex').toString('latin1')
  for (const [run] of unbroken.matchAll(/[\w+/-]{10,}/g))
    for (const at of [0, 1, 2, 3]) yield Buffer.from(run.slice(at), 'base64').toString('latin1')
}

function byteOf(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}
