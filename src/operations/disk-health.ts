/** Writes a real file: a rolled-back transaction never reaches the disk. */
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { freeBytes, nearestFolder } from './disk-space.ts'
import type { Answer } from './report.ts'

/** A sync's WAL and full-text pages need this before it frees any. */
export const LEAST_FREE_BYTES = 32 << 20
const PROBE_BYTES = 64 << 10

export interface Folders {
  readonly home: string
  readonly workspace: string
}

export type FreeBytes = (folder: string) => Promise<number>

export async function diskHealth({ home, workspace }: Folders, free: FreeBytes = freeBytes): Promise<Answer> {
  let least = Number.POSITIVE_INFINITY
  for (const [name, path] of Object.entries({ home, workspace })) {
    const folder = await nearestFolder(path)
    const left = await free(folder)
    if (left < LEAST_FREE_BYTES) return full(`the disk of the ${name} is full: ${megabytes(left)} free at ${path}`)
    // The first command creates a missing folder.
    if (folder === path) probe(name, path)
    least = Math.min(least, left)
  }
  return { status: 'OK', message: `home and workspace can be written, ${megabytes(least)} free` }
}

function probe(name: string, folder: string): void {
  const file = join(folder, `.health-probe-${process.pid}`)
  try {
    const handle = openSync(file, 'wx', 0o600)
    try {
      writeFileSync(handle, Buffer.alloc(PROBE_BYTES, 1))
      fsyncSync(handle)
    } finally {
      closeSync(handle)
      rmSync(file, { force: true })
    }
  } catch (error) {
    throw new MnemonicError('STORAGE_ERROR', `the ${name} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      details: { path: folder },
      hint: `Make room on the disk of ${folder}, and check that the folder is yours and writable.`,
      cause: error,
    })
  }
}

function full(message: string): Answer {
  return {
    status: 'ERROR',
    message,
    hint: `At least ${megabytes(LEAST_FREE_BYTES)} are needed. Make room, or point MNEMONIC_HOME elsewhere.`,
  }
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / (1 << 20)).toLocaleString('en-US')} MB`
}
