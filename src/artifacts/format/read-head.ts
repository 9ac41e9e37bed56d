/** Reads the head of an artifact file, and no more of it than that. */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { notDone } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import { LONGEST_HEAD, parseArtifact } from './frontmatter.ts'
import type { Frontmatter } from './frontmatter-schema.ts'

export interface RawHead {
  /** From `---` to `---`. */
  readonly text: string
  readonly sha256: string
}

const FIRST_READ = 4096
const END = /\n---[ \t]*\r?\n/

/** Undefined where there is no such file. Throws VALIDATION_ERROR for one without a head. */
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

/** What the head of an artifact of any kind says; undefined where there is no such file. */
export function readHead(workspace: string, path: string): { fields: Frontmatter; sha256: string } | undefined {
  const head = readRawHead(workspace, path)
  return head === undefined ? undefined : { fields: parseHead(head, path), sha256: head.sha256 }
}
