/** Sync of a generated mailbox at two sizes: speed, peak memory, cost of a second sync. `--full` pipes 5 GB. */
import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { mails } from './mail-data.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, table } from './table.ts'

const SYNC = fileURLToPath(new URL('./sync-child.js', import.meta.url))
const WRITE = fileURLToPath(new URL('./mail-child.js', import.meta.url))

interface ChildReport {
  readonly ms: number
  readonly maxRss: number
  readonly totals: { readonly bytes_read: number; readonly records: number }
}

export async function mailBench({ root, full, brief, print }: BenchContext): Promise<void> {
  const rows: string[][] = []
  const peaks: number[] = []
  for (const size of brief ? [20e6, 100e6] : [100e6, 500e6]) {
    const path = join(root, `mail-${size}.mbox`)
    await pipeline(Readable.from(mails(size)), createWriteStream(path))
    const bytes = statSync(path).size
    const home = join(root, `mail-home-${size}`)
    const first = sync(home, path)
    const second = sync(home, path)
    rows.push([...row('file', bytes, first), `${milliseconds(second.ms)} ms, ${second.totals.bytes_read} bytes`])
    peaks.push(first.maxRss)
    rmSync(path)
  }
  if (full) {
    const piped = await syncPiped(join(root, 'mail-home-piped'), 5e9)
    rows.push([...row('pipe', piped.totals.bytes_read, piped), '–'])
    peaks.push(piped.maxRss)
  }
  print(table('Sync of a mailbox, generated, no embedding', ['source', 'size', 'first sync', 'mails', 'peak memory', 'second sync'], rows))
  const [small = 1, ...larger] = peaks
  print(
    `\nPeak memory at ${brief ? 'five' : '5'} times the mailbox${full ? ', and at 5 GB' : ''}: ${larger.map((peak) => `${(peak / small).toFixed(2)} ×`).join(', ')} (hold ≤ 1.20)`,
  )
}

function row(name: string, bytes: number, { ms, totals, maxRss }: ChildReport): string[] {
  return [name, `${megabytes(bytes)} MB`, `${(bytes / 1e3 / ms).toFixed(1)} MB/s`, String(totals.records), `${megabytes(maxRss)} MB`]
}

function sync(home: string, path: string): ChildReport {
  return JSON.parse(execFileSync(process.execPath, [SYNC, home, path, 'gmail'], { encoding: 'utf8' })) as ChildReport
}

/** One process writes, the other reads: no file. */
async function syncPiped(home: string, bytes: number): Promise<ChildReport> {
  const writer = spawn(process.execPath, [WRITE, String(bytes)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const reader = spawn(process.execPath, [SYNC, home, '/dev/stdin', 'gmail'], { stdio: [writer.stdout, 'pipe', 'inherit'] })
  writer.stdout?.destroy()
  const parts: Buffer[] = []
  for await (const part of reader.stdout as AsyncIterable<Buffer>) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as ChildReport
}
