/** All rule analyses over LongMemEval: turns per second of processor time by part, and memory at two sizes. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { longMemEval, readFolder, type SessionText } from './retrieval-data.ts'
import { writeSessions } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { megabytes, table } from './table.ts'

interface ChildReport {
  readonly parts: readonly { readonly type: string; readonly completed: number; readonly failed: number; readonly seconds: number }[]
  readonly maxRss: number
}

const SHARED = fileURLToPath(new URL('../../../../shared/bench/longmemeval', import.meta.url))
const CHILD = fileURLToPath(new URL('./analyze-child.js', import.meta.url))
const LEAST_TURNS = 300
/** Haystacks; the larger size has five times as many. */
const FEW = 2

export async function analyzeBench({ root, brief, options, print }: BenchContext): Promise<void> {
  const folder = options.get('longmemeval') ?? SHARED
  const haystacks = readFolder(folder, longMemEval)
  if (haystacks === undefined) return print(`left out: ${folder} is not there`)
  const peaks: number[] = []
  for (const count of brief ? [FEW] : [FEW, 5 * FEW]) {
    const logs = join(root, `analyze-${count}`)
    const sessions = new Map<string, SessionText>()
    for (const [n, haystack] of haystacks.slice(0, count).entries()) {
      writeSessions(join(logs, String(n)), haystack)
      for (const session of haystack.sessions) sessions.set(session.id, session)
    }
    const turns = [...sessions.values()].reduce((sum, { turns: said }) => sum + said.filter(({ role }) => role === 'user').length, 0)
    const run = (how: 'together' | 'apart') =>
      JSON.parse(
        execFileSync(process.execPath, [CHILD, join(root, `analyze-home-${count}-${how}`), logs, how], { encoding: 'utf8' }),
      ) as ChildReport
    const { parts } = run('apart')
    const together = run('together')
    const { maxRss } = together
    peaks.push(maxRss)
    const rate = (spent: number) => String(Math.round(turns / spent))
    const rows = [...parts, ...together.parts].map((part) => [
      ...[part.type, String(part.completed), String(part.failed), part.seconds.toFixed(2), rate(part.seconds)],
      together.parts.includes(part) ? (turns / part.seconds >= LEAST_TURNS ? 'yes' : 'no') : '',
    ])
    const columns = ['part', 'runs', 'failed', 'CPU s', 'turns a second', `≥ ${LEAST_TURNS}`]
    print(table(`Analyses by rules, with what they write: ${turns} turns of LongMemEval`, columns, rows))
    print(`\nPeak memory: ${megabytes(maxRss)} MB`)
  }
  const [small = 1, large] = peaks
  if (large !== undefined) print(`At five times the history: ${(large / small).toFixed(2)} × (hold ≤ 1.20)`)
}
