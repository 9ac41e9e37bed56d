/** Every capture on generated logs: MB/s, peak memory, cost of a second sync. */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { random } from '../test/helpers/generate-claude.ts'
import type { Exchange, SampleSource } from '../test/helpers/sample-source.ts'
import { SAMPLE_SOURCES } from '../test/helpers/sources/all.ts'
import type { BenchContext } from './run.ts'
import { megabytes, milliseconds, table } from './table.ts'

const CHILD = fileURLToPath(new URL('./sync-child.js', import.meta.url))
const SIZE = 50e6
const BRIEF = 8e6
const FULL = 1e9
/** Approximate bytes. */
const SESSION = 500e3
const WORDS =
  'the a of to and is in that parser cache token index schema migration retry queue lease worker chunk vector ledger we not on'.split(' ')

interface ChildReport {
  readonly ms: number
  readonly maxRss: number
  readonly totals: { readonly bytes_read: number; readonly imported: number; readonly records: number; readonly quarantined: number }
}

export async function adapterBench({ root, full, brief, print }: BenchContext): Promise<void> {
  const rows: string[][] = []
  for (const source of SAMPLE_SOURCES) {
    const dir = join(root, `${source.name}-${source.kind}`)
    rows.push(measure(source, dir, brief ? BRIEF : SIZE))
    if (full && ['claude-code', 'codex'].includes(source.name)) rows.push(measure(source, `${dir}-full`, FULL))
  }
  const columns = ['adapter', 'source', 'first sync', 'records', 'peak memory', 'second sync']
  print(table('Every capture, generated source, no embedding', columns, rows))
}

function measure(source: SampleSource, dir: string, bytes: number): string[] {
  const logs = join(dir, 'logs')
  const rand = random(7)
  for (let n = 0; n === 0 || sizeOf(logs) < bytes; n++) source.write(logs, `session-${n}`, exchanges(rand, n))
  const size = sizeOf(logs)
  const first = sync(dir, logs, source.name)
  const second = sync(dir, logs, source.name)
  return [
    `${source.name} (${source.kind})`,
    `${megabytes(size)} MB`,
    `${(size / 1e3 / first.ms).toFixed(1)} MB/s`,
    String(first.totals.records),
    `${megabytes(first.maxRss)} MB`,
    `${milliseconds(second.ms)} ms, ${second.totals.bytes_read} bytes`,
  ]
}

function sync(dir: string, logs: string, adapter: string): ChildReport {
  return JSON.parse(execFileSync(process.execPath, [CHILD, join(dir, 'home'), logs, adapter], { encoding: 'utf8' })) as ChildReport
}

/** Short prompts, longer answers, even longer tool results: the proportions of real sessions. */
function exchanges(rand: () => number, session: number): Exchange[] {
  const text = (words: number) => Array.from({ length: words }, () => WORDS[Math.floor(rand() * WORDS.length)]).join(' ')
  const list: Exchange[] = []
  for (let size = 0, n = 0; size < SESSION; n++) {
    const exchange = {
      prompt: `Session ${session}, question ${n}: ${text(40)}?`,
      answer: `${text(150)}.\n\n${text(60)}.`,
      at: Date.UTC(2026, 0, 1) + session * 7_200_000 + n * 30_000,
      tool: { name: 'read_file', params: { path: `src/${text(1)}-${n}.ts` }, result: text(600) },
    }
    list.push(exchange)
    size += exchange.prompt.length + exchange.answer.length + exchange.tool.result.length
  }
  return list
}

function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
      const info = statSync(join(folder, name))
      return sum + (info.isFile() ? info.size : 0)
    }, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
