/** Immutable artifacts on disk: written once, whole, and never over another one. What stands there already is compared, not replaced. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { type AtomicOptions, isExisting, writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { contentSha256Of } from './body-normalized.ts'
import { isManifest, renderFrontmatter } from './frontmatter.ts'
import type { ContentFrontmatter } from './frontmatter-schema.ts'
import { parseHead, readRawHead } from './read-head.ts'

/** The head of a content artifact; undefined where there is no such file. */
export function readContentHead(workspace: string, path: string): { fields: ContentFrontmatter; sha256: string } | undefined {
  const head = readRawHead(workspace, path)
  if (head === undefined) return undefined
  const fields = parseHead(head, path)
  if (isManifest(fields)) throw new MnemonicError('VALIDATION_ERROR', `${path} is a manifest`, { details: { file: path, field: 'kind' } })
  return { fields, sha256: head.sha256 }
}

/** The head of a content artifact; undefined also where it is broken. */
export function soundHead(workspace: string, path: string): ContentFrontmatter | undefined {
  try {
    return readContentHead(workspace, path)?.fields
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'VALIDATION_ERROR') return undefined // whoever writes or checks the file says so
    throw error
  }
}

/** True for an artifact that is there and whose text is the one its checksum was made of. */
export async function isSound(workspace: string, path: string | null): Promise<boolean> {
  const head = path === null ? undefined : soundHead(workspace, path)
  return head !== undefined && (await bodySha256(workspace, path as string)) === head.content_sha256
}

/** The checksum that the body of a file really has. Streams. */
export async function bodySha256(workspace: string, path: string): Promise<string> {
  const head = readRawHead(workspace, path)
  const start = head === undefined ? 0 : Buffer.byteLength(head.text)
  return contentSha256Of(createReadStream(join(workspace, path), { start, encoding: 'utf8' }))
}

export interface ContentFile {
  readonly path: string
  readonly fields: ContentFrontmatter
  /** Normalized, as its checksum is. */
  readonly body: () => Iterable<string> | AsyncIterable<string>
}

/**
 * Writes an artifact that is not there yet. One of the same name and content is left as it is; one of the same name and another content
 * is somebody's, or an earlier version of the session at the same moment: VALIDATION_ERROR, and it stays.
 */
export async function writeContent(
  workspace: string,
  { path, fields, body }: ContentFile,
  commit?: AtomicOptions['commit'],
): Promise<'written' | 'there'> {
  async function* pieces() {
    yield renderFrontmatter(fields, path)
    for await (const piece of body()) yield piece
    yield '\n'
  }
  try {
    await writeAtomic(join(workspace, path), pieces(), { exclusive: true, ...(commit ? { commit } : {}) })
    return 'written'
  } catch (error) {
    if (!isExisting(error)) throw error
  }
  const there = readContentHead(workspace, path)
  const same = there?.fields.content_sha256 === fields.content_sha256
  if (same && (await bodySha256(workspace, path)) === fields.content_sha256) return 'there'
  throw new MnemonicError('VALIDATION_ERROR', `${path} is there already with other content; it is immutable and was left as it is`, {
    details: { file: path },
    hint: 'See what differs: mnemonic memory verify. Write it again from the ledger: mnemonic memory restore PATH.',
  })
}
