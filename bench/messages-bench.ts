/** A database of Messages: messages per second, peak memory, cost of a second sync and of one more message. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateMessages } from '../test/helpers/generate-messages.ts'
import { openMessages } from '../test/helpers/messages-database.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, table } from './table.ts'

const CHILD = fileURLToPath(new URL('./sync-child.js', import.meta.url))
const BRIEF = 5_000
const SIZE = 50_000
const FULL = 1_000_000

interface ChildReport {
  readonly ms: number
  readonly maxRss: number
  readonly totals: { readonly bytes_read: number; readonly records: number }
}

export async function messagesBench({ root, full, brief, print }: BenchContext): Promise<void> {
  const rows = (brief ? [BRIEF] : full ? [SIZE, FULL] : [SIZE / 5, SIZE]).map((count) => measure(join(root, `messages-${count}`), count))
  const columns = ['rows', 'source', 'events', 'first sync', 'peak memory', 'second sync', 'one more message', 'peak memory']
  print(table('A database of Messages, generated, no embedding', columns, rows))
}

function measure(dir: string, count: number): string[] {
  const path = join(dir, 'chat.db')
  mkdirSync(dir, { recursive: true })
  const { messages } = generateMessages(path, count)
  const first = sync(dir, path)
  if (first.totals.records !== messages) throw new Error(`${first.totals.records} of ${messages} messages arrived`)
  const second = sync(dir, path)
  const more = openMessages(path)
  more.message({ guid: 'one-more', text: 'One more message', chat: 1, from: 1, at: Date.UTC(2026, 1, 1) })
  more.close()
  const third = sync(dir, path)
  return [
    count.toLocaleString('en-US'),
    `${megabytes(statSync(path).size)} MB`,
    String(first.totals.records),
    `${(first.ms / 1000).toFixed(1)} s, ${Math.round((count / first.ms) * 1000)}/s`,
    `${megabytes(first.maxRss)} MB`,
    `${milliseconds(second.ms)} ms, ${second.totals.bytes_read} bytes`,
    `${milliseconds(third.ms)} ms, ${third.totals.records} event`,
    `${megabytes(third.maxRss)} MB`,
  ]
}

function sync(dir: string, path: string): ChildReport {
  return JSON.parse(execFileSync(process.execPath, [CHILD, join(dir, 'home'), path, 'imessage'], { encoding: 'utf8' })) as ChildReport
}
