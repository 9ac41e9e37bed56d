/** What the product finds in a team's coding sessions: synced, indexed and embedded as a user's would be, then asked. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMnemonic, type SearchResult } from 'agent-mnemonic'
import { cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import { percent } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { tokensToFact } from './tokens-to-fact.ts'

type LoadMinilm = typeof import('../src/embed/open-embedder.ts')
type Tokens = typeof import('../src/core/tokens.ts')

const SHARED = fileURLToPath(new URL('../../../../shared/bench/coding', import.meta.url))
/** The day on which these questions were first asked: what is recent does not depend on when they are asked again. */
const ASKED_AT = Date.parse('2026-11-15T12:00:00Z')
/** Enough for ten hits and for 2,000 tokens of them. */
const HITS = 40
const BUDGET = 2000

interface Question {
  readonly type: string
  readonly question: string
  /** One entry is one needed fact; any of its lines counts as found. */
  readonly evidence: readonly { readonly uuids: readonly string[] }[]
}

/** The share of needed facts found. */
interface Found {
  readonly type: string
  readonly at5: number
  readonly at10: number
  readonly budget: number
}

export async function codingBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  const folder = folderOf(context)
  if (!existsSync(join(folder, 'questions.json')) || !existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no questions.json and sessions.tar.xz in ${folder}`)
    return
  }
  const logs = join(root, 'coding', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const questions = JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8')) as Question[]
  const names = namesOfLines(logs)
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  const { loadMinilm } = await dist<LoadMinilm>('embed/open-embedder.js')
  const embedder = await cachedEmbedder((await loadMinilm({ modelsFolder: join(root, 'models') })) as Embedder)
  const mnemonic = await openMnemonic({
    home: join(root, 'coding', 'home'),
    workspace: join(root, 'coding', 'workspace'),
    config: { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } },
    clock: () => ASKED_AT,
    embedder,
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'] })
    await mnemonic.embedding.run()
    const { index, agents } = await mnemonic.status()
    const rows: Found[] = []
    for (const { type, question, evidence } of questions) {
      const { results } = await mnemonic.search({ query: question, limit: HITS })
      const facts = evidence.map(({ uuids }) => new Set(uuids.flatMap((uuid) => [uuid, names.get(uuid) ?? uuid])))
      const within = results.slice(0, fitting(results, countTokens))
      const share = (hits: readonly SearchResult[]) => facts.filter((fact) => isFound(fact, hits)).length / facts.length
      rows.push({ type, at5: share(results.slice(0, 5)), at10: share(results.slice(0, 10)), budget: share(within) })
    }
    const size = `${agents.sessions} sessions, ${index.chunks} chunks, ${questions.length} questions`
    print(
      table(
        `Coding sessions: needed facts found, % (${size})`,
        ['', 'questions', '@5', '@10', 'within 2,000 tokens'],
        [['all', ...cells(rows)], ...[...new Set(rows.map(({ type }) => type))].map((type) => [type, ...cells(rows.filter(is(type)))])],
      ),
    )
    print(await tokensToFact({ mnemonic, folder, names, now: ASKED_AT }))
  } finally {
    await mnemonic.close()
    await embedder.close()
  }
}

function folderOf({ options }: BenchContext): string {
  const given = options.get('coding')
  // npm runs scripts in the package's folder; what was typed counts from where it was typed.
  return given === undefined ? SHARED : isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
}

/** The message that each line of an answer belongs to, as hits name it. */
function namesOfLines(logs: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const entry of readdirSync(logs, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue
    for (const line of readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n')) {
      // Not parsed: real logs have lines that are no JSON. Only answers have an id of this form, and the line's own uuid stands behind it.
      const name = /"id":"(msg_\w+)"/.exec(line)?.[1]
      const uuid = /"uuid":"([\w-]+)"/.exec(line)?.[1]
      if (uuid !== undefined && name !== undefined) names.set(uuid, name)
    }
  }
  return names
}

function isFound(fact: ReadonlySet<string>, hits: readonly SearchResult[]): boolean {
  return hits.some(({ message_ids }) => message_ids.some((id) => fact.has(id)))
}

/** How many of the first hits fit into the budget, taken in order until one does not. */
function fitting(results: readonly SearchResult[], countTokens: (text: string) => number): number {
  let tokens = 0
  const over = results.findIndex(({ content }) => {
    tokens += countTokens(content)
    return tokens > BUDGET
  })
  return over === -1 ? results.length : over
}

const is = (type: string) => (row: Found) => row.type === type

function cells(rows: readonly Found[]): string[] {
  const share = (part: 'at5' | 'at10' | 'budget') => percent(rows.map((row) => row[part]))
  return [String(rows.length), share('at5'), share('at10'), share('budget')]
}
