import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { notDone, readText } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import { contentSha256Of } from './body-normalized.ts'
import { isManifest, LONGEST_HEAD, parseArtifact } from './frontmatter.ts'
import type { ContentFrontmatter, Frontmatter, ManifestFrontmatter } from './frontmatter-schema.ts'

export interface RawHead {
  readonly text: string
  readonly sha256: string
}

const FIRST_READ = 4096
const END = /\n---[ \t]*\r?\n/

/** Undefined if missing. Throws VALIDATION_ERROR without a head. */
export function readRawHead(workspace: string, path: string): RawHead | undefined {
  let file: number
  try {
    file = openSync(join(workspace, path), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw notDone('read', path, error)
  }
  try {
    for (let length = FIRST_READ; ; length *= 4) {
      const buffer = Buffer.alloc(length)
      const read = readFrom(file, buffer, path)
      const text = buffer.toString('utf8', 0, read)
      const end = END.exec(text)
      if (end !== null) {
        const head = text.slice(0, end.index + end[0].length)
        return { text: head, sha256: sha256(head) }
      }
      if (read < length || length > LONGEST_HEAD) {
        throw new MnemonicError('VALIDATION_ERROR', `${path} has no frontmatter that ends`, { details: { file: path } })
      }
    }
  } finally {
    closeSync(file)
  }
}

function readFrom(file: number, buffer: Buffer, path: string): number {
  try {
    return readSync(file, buffer, 0, buffer.length, 0)
  } catch (error) {
    throw notDone('read', path, error)
  }
}

export function parseHead(head: RawHead, path: string): Frontmatter {
  return parseArtifact(head.text, path).frontmatter
}

export function readHead(workspace: string, path: string): { fields: Frontmatter; sha256: string } | undefined {
  const head = readRawHead(workspace, path)
  return head === undefined ? undefined : { fields: parseHead(head, path), sha256: head.sha256 }
}

export function readContentHead(workspace: string, path: string): { fields: ContentFrontmatter; sha256: string } | undefined {
  const head = readHead(workspace, path)
  if (head === undefined) return undefined
  const { fields } = head
  if (isManifest(fields)) throw new MnemonicError('VALIDATION_ERROR', `${path} is a manifest`, { details: { file: path, field: 'kind' } })
  return { fields, sha256: head.sha256 }
}

export function soundHead(workspace: string, path: string): ContentFrontmatter | undefined {
  try {
    return readContentHead(workspace, path)?.fields
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'VALIDATION_ERROR') return undefined // reported by publish and verify
    throw error
  }
}

export async function isSound(workspace: string, path: string | null): Promise<boolean> {
  const head = path === null ? undefined : soundHead(workspace, path)
  return head !== undefined && (await bodySha256(workspace, path as string)) === head.content_sha256
}

/** Computes the actual checksum. Streams. */
export async function bodySha256(workspace: string, path: string): Promise<string> {
  const head = readRawHead(workspace, path)
  const start = head === undefined ? 0 : Buffer.byteLength(head.text)
  return contentSha256Of(createReadStream(join(workspace, path), { start, encoding: 'utf8' }))
}

/** Undefined if missing. Throws VALIDATION_ERROR if invalid. */
export function readManifest(workspace: string, path: string): ManifestFrontmatter | undefined {
  const text = readText(join(workspace, path))
  if (text === undefined) return undefined
  const { frontmatter } = parseArtifact(text, path)
  if (isManifest(frontmatter)) return frontmatter
  throw new MnemonicError('VALIDATION_ERROR', `${path} is no manifest`, { details: { file: path, field: 'kind' } })
}
