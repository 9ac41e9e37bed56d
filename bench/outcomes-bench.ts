/** Whether a session's sentence names its outcome, and whether the head of MEMORY.md is free of courtesies. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type Courtesy = typeof import('../src/analyze/outcome/courtesy.ts')
type Row = typeof import('../src/artifacts/render/ledger-row.ts')

/** This file is compiled to bench/.out/bench. */
const LABELS = new URL('../../../bench/coding/outcomes.json', import.meta.url)

/** Format: bench/coding/README.md. */
interface Label {
  readonly session: string
  readonly half: 'tune' | 'judge' | 'unseen'
  /** One of each list must occur. */
  readonly names: readonly (readonly string[])[]
}

export async function outcomesBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'outcomes', 'logs')
  const workspace = join(root, 'outcomes', 'workspace')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const home = join(root, 'outcomes', 'home')
  const mnemonic = await openMnemonic({ home, workspace, config: { owner: { timezone: 'UTC' } }, clock: () => ASKED_AT })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'], embed: false })
    const started = performance.now()
    const { results } = await mnemonic.artifacts.publish()
    const seconds = (performance.now() - started) / 1000
    const labels = JSON.parse(readFileSync(LABELS, 'utf8')) as Label[]
    const sentences = await sentencesOf(mnemonic, workspace, labels)
    const row = (half: Label['half']) => {
      const some = labels.filter((label) => label.half === half)
      const named = some.filter((label) => namesIt(sentences.get(label.session) ?? '', label))
      return [half, String(some.length), ((100 * named.length) / Math.max(1, some.length)).toFixed(0)]
    }
    print(
      table(
        'Coding sessions: the sentence names the outcome, %',
        ['half', 'sessions', 'named'],
        [row('tune'), row('judge'), row('unseen')],
      ),
    )
    const sessions = results.filter(({ flow, status }) => flow === 'session-end' && status === 'published').length
    print(
      `${sessions} sessions published in ${seconds.toFixed(1)} s; ${await emptyLines(workspace)} courtesies, greetings or verdicts in MEMORY.md's head`,
    )
  } finally {
    await mnemonic.close()
  }
}

async function sentencesOf(
  mnemonic: Awaited<ReturnType<typeof openMnemonic>>,
  workspace: string,
  labels: readonly Label[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { session } of labels) {
    const opened = await mnemonic.artifacts.open(`claude-code:${session}`)
    const text = opened?.summary_path ? readFileSync(join(workspace, opened.summary_path), 'utf8') : ''
    const sentence = /^memory_sentence: (".*")$/m.exec(text)?.[1]
    if (sentence !== undefined) found.set(session, JSON.parse(sentence) as string)
  }
  return found
}

function namesIt(sentence: string, { names }: Label): boolean {
  const text = sentence.toLowerCase()
  return names.every((any) => any.some((name) => text.includes(name.toLowerCase())))
}

/** Quotations in the head, above the rows. */
async function emptyLines(workspace: string): Promise<number> {
  const { isCourtesy } = await dist<Courtesy>('analyze/outcome/courtesy.js')
  const { parseLedgerRow } = await dist<Row>('artifacts/render/ledger-row.js')
  const lines = readFileSync(join(workspace, 'MEMORY.md'), 'utf8').split('\n')
  const head = lines.filter((line) => /^ *- /.test(line) && parseLedgerRow(line) === undefined)
  return head.flatMap((line) => [...line.matchAll(/“([^“”]*)”/g)]).filter(([, said = '']) => isCourtesy(said)).length
}
