/** A haystack in the product: session files, real sync, index and embedding. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import type { CachedEmbedder } from './retrieval-cache.ts'
import type { Haystack } from './retrieval-data.ts'

type Open = typeof import('../src/store/sqlite/open.ts')
type Search = typeof import('../src/search/search.ts')
type Tokens = typeof import('../src/core/tokens.ts')
export type Ranking = import('../src/search/candidate.ts').Ranking
export type Store = Awaited<ReturnType<Open['openSqlite']>>
export type Result = import('../src/search/result.ts').SearchResult

/** A chunk; in LoCoMo one exchange. */
export interface Unit {
  readonly chunkId: number
  readonly session: string
  readonly turns: readonly string[]
  readonly tokens: number
  readonly text: string
}

export interface Home {
  readonly store: Store
  readonly units: ReadonlyMap<number, Unit>
  /** With the rankings of the question and of each phrasing. */
  search(query: string, limit: number, queries?: readonly string[]): Promise<Searched>
  lexical(query: string, limit: number): Promise<readonly Result[]>
  embed(query: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface Searched {
  readonly results: readonly Result[]
  readonly ranking: Ranking | undefined
  readonly rankings: readonly Ranking[]
}

const OWNER = { name: 'Bench Owner', timezone: 'UTC' }
const SECONDS_A_TURN = 30
const DIST = new URL('../../../dist/', import.meta.url)

export async function dist<T>(path: string): Promise<T> {
  return (await import(new URL(path, DIST).href)) as T
}

export async function openHome(root: string, haystack: Haystack, embedder: CachedEmbedder): Promise<Home> {
  const folder = join(root, haystack.name)
  writeSessions(join(folder, 'logs'), haystack)
  const config = { owner: OWNER, embedding: { sync_seconds: 0 } }
  const clock = () => haystack.now
  const mnemonic = await openMnemonic({ home: join(folder, 'home'), workspace: join(folder, 'workspace'), config, clock, embedder })
  await mnemonic.sync({ path: join(folder, 'logs'), adapters: ['jsonl'] })
  await mnemonic.embedding.run()
  const { database } = mnemonic.paths
  await mnemonic.close()

  return openSearch(database, { clock, owner: OWNER, embedder })
}

interface Opening {
  readonly clock: () => number
  readonly owner: import('../src/search/person.ts').Owner
  readonly embedder: CachedEmbedder
}

/** Searches an existing database. */
export async function openSearch(database: string, { clock, owner, embedder }: Opening): Promise<Home> {
  const { openSqlite } = await dist<Open>('store/sqlite/open.js')
  const { searcher } = await dist<Search>('search/search.js')
  const store = await openSqlite({ path: database, clock })
  // A phrasing that needs more candidates is ranked again: the last ranking counts.
  const rankings = new Map<unknown, Ranking>()
  const embed = async (query: string) => (await embedder.embed([query], { purpose: 'query' }))[0] as Float32Array
  const plain = { store, clock, owner, agentId: 'main' }
  const inspect = (seen: Ranking) => {
    rankings.set(seen.plan, seen)
  }
  const question = async (text: string) => {
    const [found] = (await embedder.tokens?.states([text], { purpose: 'query' })) ?? []
    return found === undefined ? { vector: await embed(text) } : { vector: found.vector, tokens: found }
  }
  const hybrid = searcher({ ...plain, embedQueries: (queries) => Promise.all(queries.map(embed)), embedQuestion: question, inspect })
  const words = searcher(plain)
  return {
    store,
    units: await unitsOf(store),
    embed,
    async search(query, limit, queries) {
      rankings.clear()
      const { results } = await hybrid.search({ query, limit, ...(queries === undefined ? {} : { queries }) })
      const all = [...rankings.values()]
      return { results, ranking: all[0], rankings: all }
    },
    lexical: async (query, limit) => (await words.search({ query, limit })).results,
    async close() {
      await Promise.all([hybrid.flush(), words.flush()])
      await store.close()
    },
  }
}

export function writeSessions(folder: string, { sessions }: Pick<Haystack, 'sessions'>): void {
  mkdirSync(folder, { recursive: true })
  for (const [n, { id, at, turns }] of sessions.entries()) {
    const lines = turns.map(({ id: turn, role, speaker, text }, i) => {
      const timestamp = new Date(at + i * SECONDS_A_TURN * 1000).toISOString()
      return JSON.stringify({ role, content: text, timestamp, id: turn, session_id: id, ...(speaker === undefined ? {} : { speaker }) })
    })
    writeFileSync(join(folder, `${n}.jsonl`), `${lines.join('\n')}\n`)
  }
}

async function unitsOf(store: Store): Promise<Map<number, Unit>> {
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  const columns = ['id', 'session_id', 'message_ids', 'user_label', 'said_user', 'assistant_label', 'said_assistant'] as const
  const rows = await store.read.selectFrom('chunks').select(columns).where('superseded', '=', 0).orderBy('id').execute()
  return new Map(
    rows.map(({ id, session_id, message_ids, user_label, said_user, assistant_label, said_assistant }) => {
      const text = [said_user && user_label + said_user, said_assistant && assistant_label + said_assistant].filter(Boolean).join('\n')
      const session = (session_id ?? '').replace(/^jsonl:/, '')
      return [id, { chunkId: id, session, turns: JSON.parse(message_ids) as string[], tokens: countTokens(text), text }]
    }),
  )
}
