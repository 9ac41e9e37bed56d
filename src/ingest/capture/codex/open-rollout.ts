/** Opens a rollout, plain or packed. Where it was packed or unpacked since it was found, the file it has become is read instead. */
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { unpacked } from '../unpack.ts'
import { otherName, rolloutNames } from './rollout-names.ts'

export interface Source {
  readonly path: string
  readonly chunks: AsyncIterable<Buffer>
  /** Whether reading can go on from a checkpoint: not inside a packed file. */
  readonly resumes: boolean
  /** The byte of the unit that stands for a byte of the rollout; undefined where the unit itself is gone. */
  offsetAt(done: number): number | undefined
}

export async function openRollout(unit: SourceUnit, offset: number, reader: UnitReader): Promise<Source> {
  const other = otherName(unit.path)
  if (other !== undefined && (await isGone(unit.path, reader)) && !(await isGone(other, reader))) {
    return { ...plainOrPacked({ ...unit, path: other }, 0, reader), resumes: false, offsetAt: () => undefined }
  }
  return plainOrPacked(unit, offset, reader)
}

function plainOrPacked({ path, size }: SourceUnit, offset: number, reader: UnitReader): Source {
  if (!rolloutNames(path).packed) return { path, chunks: reader.chunks(path, offset), resumes: true, offsetAt: (done) => done }
  let taken = 0
  async function* counted() {
    for await (const chunk of reader.chunks(path, 0)) {
      taken += chunk.length
      yield chunk
    }
  }
  // No offset into it means anything: it only measures how much was read.
  return { path, chunks: unpacked(counted(), path), resumes: false, offsetAt: () => Math.min(taken, size) }
}

async function isGone(path: string, reader: UnitReader): Promise<boolean> {
  try {
    await reader.slice(path, 0, 1)
    return false
  } catch (error) {
    const { code, details } = error as { code?: unknown; details?: { code?: unknown } }
    return (details?.code ?? code) === 'ENOENT'
  }
}
