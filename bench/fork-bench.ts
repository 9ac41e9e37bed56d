/** Whether a fork holds the needed turns, beside search hits of equal tokens; and whether it holds the latest decisions. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mnemonic, openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, type CodingQuestion, codingFolder, codingQuestions } from './coding-data.ts'
import { cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import { percent } from './retrieval-metrics.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type LoadMinilm = typeof import('../src/embed/open-embedder.ts')
type Tokenizer = typeof import('../src/fork/tokenizer.ts')

/** Undefined means the default, 2,500 tokens. */
const BUDGETS = [undefined, 2_000, 4_000, 8_000] as const
const DEFAULT_TOKENS = 2_500
/** This file is compiled to bench/.out/bench. */
const LABELS = new URL('../../../bench/coding/decisions.json', import.meta.url)
const HITS = 60
/** Each takes the whole path twice; a short run asks every fourth. */
const EVERY = 4

export async function forkBench(context: BenchContext): Promise<void> {
  const { root, print, full } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'fork', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const { loadMinilm } = await dist<LoadMinilm>('embed/open-embedder.js')
  const embedder = await cachedEmbedder((await loadMinilm({ modelsFolder: join(root, 'models') })) as Embedder)
  const mnemonic = await openMnemonic({
    home: join(root, 'fork', 'home'),
    workspace: join(root, 'fork', 'workspace'),
    config: { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } },
    clock: () => ASKED_AT,
    embedder,
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'] })
    await mnemonic.embedding.run()
    const questions = codingQuestions().filter((_, at) => full || at % EVERY === 1)
    print(await evidence(mnemonic, questions))
    print(await holding(mnemonic, full ? Number.POSITIVE_INFINITY : 20))
  } finally {
    await mnemonic.close()
    await embedder.close()
  }
}

async function evidence(mnemonic: Mnemonic, questions: readonly CodingQuestion[]): Promise<string> {
  const count = await (await dist<Tokenizer>('fork/tokenizer.js')).loadTokenizer()
  const turnOf = await turnsOfMessages(mnemonic)
  const rows: string[][] = []
  for (const many of [false, true]) {
    for (const asked of BUDGETS) {
      const maxTokens = asked ?? DEFAULT_TOKENS
      let turns = 0
      const shares = { hitTurns: [] as number[], hitMessages: [] as number[], forkTurns: [] as number[], forkMessages: [] as number[] }
      for (const { question, phrasings, facts } of questions) {
        const also = many ? phrasings.slice(1) : []
        const share = (holds: (id: string) => boolean) => facts.filter((fact) => [...fact].some(holds)).length / facts.length
        const { results } = await mnemonic.search({ query: question, queries: also, limit: HITS })
        let sum = 0
        const over = results.findIndex(({ content }) => {
          sum += count(content)
          return sum > maxTokens
        })
        const hits = over === -1 ? results : results.slice(0, over)
        const { relevant_turns } = await mnemonic.forkText({ query: question, also, ...(asked === undefined ? {} : { maxTokens: asked }) })
        turns += relevant_turns.length
        const inHits = { turns: new Set(hits.map((hit) => hit.turn_id)), ids: new Set(hits.flatMap((hit) => hit.message_ids)) }
        const inFork = {
          turns: new Set(relevant_turns.map(({ turn }) => turn.id)),
          ids: new Set(relevant_turns.flatMap(({ session, messages }) => messages.map(({ id }) => id.slice(session.id.length + 1)))),
        }
        shares.hitTurns.push(share((id) => inHits.turns.has(turnOf.get(id) ?? '')))
        shares.hitMessages.push(share((id) => inHits.ids.has(id)))
        shares.forkTurns.push(share((id) => inFork.turns.has(turnOf.get(id) ?? '')))
        shares.forkMessages.push(share((id) => inFork.ids.has(id)))
      }
      const cells = [shares.hitTurns, shares.forkTurns, shares.hitMessages, shares.forkMessages].map((all) => percent(all))
      const tokens = asked === undefined ? `${maxTokens} (default)` : String(maxTokens)
      rows.push([many ? 'phrasings' : 'one question', tokens, (turns / questions.length).toFixed(1), ...cells])
    }
  }
  return table(
    `Forks: needed facts held, % (${questions.length} questions)`,
    ['', 'tokens', 'turns', 'search: turns', 'fork: turns', 'search: messages', 'fork: messages'],
    rows,
  )
}

async function turnsOfMessages(mnemonic: Mnemonic): Promise<Map<string, string>> {
  const page = 10_000
  const turns = new Map<string, string>()
  for (let from = 0; ; from += page) {
    const query = `select native_id, turn_id from agent_messages where turn_id is not null order by id limit ${page} offset ${from}`
    const { rows } = await mnemonic.sql(query, { limit: page })
    for (const [id, turn] of rows) turns.set(String(id), String(turn))
    if (rows.length < page) return turns
  }
}

/** Labelled by reading: ids only. */
interface Labels {
  readonly supersedes: readonly { readonly earlier: string; readonly later: string }[]
}

/** Asks in the words of a replaced decision: does the answer hold the current one instead? */
async function holding(mnemonic: Mnemonic, most: number): Promise<string> {
  const { supersedes } = JSON.parse(readFileSync(LABELS, 'utf8')) as Labels
  const { lines } = await mnemonic.decisions({ limit: 10_000 })
  const replaced = lines.flatMap(({ holds, before }) => {
    const now = new Set(holds.flatMap(({ turn_id }) => turn_id ?? []))
    return before.flatMap((old) => (old.turn_id === null || now.size === 0 || now.has(old.turn_id) ? [] : [{ old, now }]))
  })
  const isLabelled = ({ old }: (typeof replaced)[number]) => supersedes.some(({ earlier }) => earlier === old.native_message_id)
  const rows: string[][] = []
  for (const [name, some] of [
    ['all that the memory knows', replaced.slice(0, most)],
    ['labelled right', replaced.filter(isLabelled)],
  ] as const) {
    let [holds, older] = [0, 0]
    for (const { old, now } of some) {
      const { relevant_turns } = await mnemonic.forkText({ query: old.words, maxTokens: 4_000 })
      if (relevant_turns.some(({ turn }) => now.has(turn.id))) holds += 1
      if (relevant_turns.some(({ turn }) => turn.id === old.turn_id)) older += 1
    }
    rows.push([name, ...[some.length, holds, older].map(String)])
  }
  return table('Forks: decisions that another replaced', ['', 'asked for', 'what holds is there', 'the older one is there'], rows)
}
