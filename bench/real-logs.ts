/** Real session logs, unpacked for the run; empty with a note if absent. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'

const ARCHIVE = fileURLToPath(new URL('../../../../shared/bench/coding/sessions.tar.xz', import.meta.url))

export interface RealLogs {
  readonly folder: string
  readonly files: readonly string[]
}

export function realLogs({ root, print }: BenchContext): RealLogs | undefined {
  if (!existsSync(ARCHIVE)) {
    print('left out: ../shared/bench/coding is not here, so no sync of real logs')
    return undefined
  }
  const folder = join(root, 'real-logs')
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['xJf', ARCHIVE, '-C', folder], { encoding: 'utf8' })
  if (status !== 0) {
    print(`left out: the real logs cannot be unpacked (${stderr.trim()})`)
    return undefined
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return { folder, files: files.sort().map((name) => join(folder, name)) }
}
