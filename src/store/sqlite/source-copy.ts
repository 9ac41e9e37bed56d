import { constants, copyFileSync, existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { scratchFolder } from './scratch-folder.ts'

export interface SourceCopy {
  readonly path: string
  readonly release: () => void
}

const COPY = 'mnemonic-source-'
const ATTEMPTS = 3

/** Retries if either file changed during the copy. Tests pass `copyFile`. */
export function copyOfSource(path: string, log: '-wal' | '-journal', scratch: string, copyFile = copyFileSync): SourceCopy {
  const files = [path, `${path}${log}`]
  requireSpace(path, files, scratch)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const folder = scratchFolder(COPY, scratch)
    const release = () => rmSync(folder, { recursive: true, force: true })
    try {
      const before = stamp(files)
      for (const file of files) if (existsSync(file)) copyFile(file, join(folder, basename(file)), constants.COPYFILE_FICLONE)
      if (stamp(files) === before) return { path: join(folder, basename(path)), release }
    } catch (error) {
      release()
      throw error
    }
    release()
  }
  throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: it was written to whenever it was copied`, {
    details: { path },
    hint: 'It is tried again by the next sync.',
  })
}

function stamp(files: readonly string[]): string {
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }))
    .map((info) => (info === undefined ? '' : `${info.ino}:${info.size}:${info.mtimeNs}`))
    .join(' ')
}

function requireSpace(path: string, files: readonly string[], scratch: string): void {
  const { bsize, bavail } = statfsSync(scratch)
  const wanted = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  if (wanted < bsize * bavail * 0.9) return
  throw new MnemonicError(
    'SOURCE_UNREADABLE',
    `no room to read ${path}: its application is closed, and a copy of it needs ${wanted} bytes`,
    {
      details: { path, wanted, scratch },
      hint: `Make room on the disk of ${scratch}, or sync while its application runs: then no copy is needed.`,
    },
  )
}
