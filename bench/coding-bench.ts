/** Retrieval on a team's coding sessions, with a full sync, index and embedding. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Mnemonic, openMnemonic, type SearchResult } from 'agent-mnemonic'
import { ASKED_AT, type CodingQuestion, codingFolder, codingQuestions } from './coding-data.ts'
import { FORMULAS, fusions, leftOut } from './coding-fusion.ts'
import { type Found, foundBy } from './coding-metrics.ts'
import { cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import { percent } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { tokensToFact } from './tokens-to-fact.ts'

type LoadMinilm = typeof import('../src/embed/open-embedder.ts')

/** Enough for ten hits and for 2,000 tokens. */
const HITS = 40
/** As in the product. */
const FUSED = 100

interface Answered {
  readonly question: CodingQuestion
  readonly one: readonly SearchResult[]
  readonly phrasings: readonly SearchResult[]
  /** Results of each phrasing alone. */
  readonly lists: readonly (readonly SearchResult[])[]
}

export async function codingBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'coding', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
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
    const questions = codingQuestions()
    const answered: Answered[] = []
    for (const question of questions) answered.push(await asked(mnemonic, question))
    await printFound(context, answered, `${agents.sessions} sessions, ${index.chunks} chunks, ${answered.length} questions`)
    await printFusions(context, answered)
    print(await tokensToFact({ mnemonic, questions, now: ASKED_AT }))
  } finally {
    await mnemonic.close()
    await embedder.close()
  }
}

async function asked(mnemonic: Mnemonic, question: CodingQuestion): Promise<Answered> {
  const [query = '', ...queries] = question.phrasings
  const { results: one } = await mnemonic.search({ query, limit: HITS })
  const { results: phrasings } = await mnemonic.search({ query, queries, limit: HITS })
  const lists: (readonly SearchResult[])[] = []
  for (const phrasing of question.phrasings) lists.push((await mnemonic.search({ query: phrasing, limit: FUSED })).results)
  return { question, one, phrasings, lists }
}

async function printFound({ print }: BenchContext, answered: readonly Answered[], size: string): Promise<void> {
  const types = [...new Set(answered.map(({ question }) => question.type))]
  const one = await foundBy(answered.map(({ question, one: hits }) => ({ question, hits })))
  const several = await foundBy(answered.map(({ question, phrasings: hits }) => ({ question, hits })))
  const row = (name: string, among: (found: Found) => boolean) => {
    const some = one.filter(among)
    return [name, String(some.length), ...cells(some), ...cells(several.filter(among))]
  }
  const columns = ['@5', '@10', 'within 2,000 tokens']
  print(
    table(
      `Coding sessions: needed facts found, % (${size})`,
      ['', 'questions', ...columns.map((name) => `one question ${name}`), ...columns.map((name) => `phrasings ${name}`)],
      [row('all', () => true), ...types.map((type) => row(type, (found) => found.type === type))],
    ),
  )
}

/** Formulas to fuse the phrasings; the last row chooses one by cross-validation. */
async function printFusions({ print }: BenchContext, answered: readonly Answered[]): Promise<void> {
  const found = new Map<string, Found[]>()
  for (const name of FORMULAS) found.set(name, await foundBy(await fusions(name, answered)))
  const rows = [...found].map(([name, some]) => [name, ...cells(some)])
  rows.push(['chosen without the questions asked', ...cells(leftOut([...found.values()]))])
  print(
    table('Phrasings fused, %: summed scores, or reciprocal rank with so much slowness', ['', '@5', '@10', 'within 2,000 tokens'], rows),
  )
}

function cells(rows: readonly Found[]): string[] {
  return (['at5', 'at10', 'budget'] as const).map((part) => percent(rows.map((row) => row[part])))
}
