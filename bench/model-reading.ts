/** A copy of a room's home, read by the model: the product's own `analyze` with the provider `command`. */
import type { AnalyzeReport, Mnemonic } from 'agent-mnemonic'
import { command, MODEL, shuffled } from './model-folder.ts'
import { type ModelRoom, opened } from './model-rooms.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { dist, type Store } from './retrieval-home.ts'

type Open = typeof import('../src/store/sqlite/open.ts')

const SESSIONS = 44
const LEAST_TURNS = 3
/** They share the call of a window. Sentences and summaries of sessions are a question of their own, which is not asked here. */
const READ = ['topics', 'decisions', 'entity_extraction', 'memory_extraction']
const FIRST = 'turn_labels'

export function openedWithModel(at: string, room: ModelRoom, answers: string, embedder?: CachedEmbedder): Promise<Mnemonic> {
  const limits = { daily_calls: 100_000, daily_tokens: 1_000_000_000, daily_usd: 1000, timeout_seconds: 120 }
  const analyze = { provider: 'command' as const, command: command(answers), model: MODEL, ...limits }
  return opened(at, room, { analyze, ...(embedder === undefined ? {} : { embedder }) })
}

/** The database beside the product that has it open. */
export async function withStore<T>(mnemonic: Mnemonic, work: (store: Store) => Promise<T>): Promise<T> {
  const { openSqlite } = await dist<Open>('store/sqlite/open.js')
  const store = await openSqlite({ path: mnemonic.paths.database, clock: Date.now })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Of the coding sessions those of at least three turns that one call reads whole, so that no prompt depends on another answer; 44 of them in an order
 * that only a fixed seed explains.
 */
export async function chosenSessions(mnemonic: Mnemonic): Promise<string[]> {
  const rows = await withStore(mnemonic, (store) => store.read.selectFrom('agent_sessions').select('id').execute())
  const fitting: string[] = []
  for (const { id } of rows) {
    const { waiting } = await mnemonic.analyze({ session: id, types: [FIRST], dryRun: true })
    const [labels] = waiting
    if (labels !== undefined && labels.estimate.calls === 1 && labels.episodes >= LEAST_TURNS) fitting.push(id)
  }
  return shuffled(fitting, (id) => id).slice(0, SESSIONS)
}

/**
 * Labels of all first: they ask for every window before anything is written to the graph, so that what memory knows is the same in each prompt.
 * Then, unless prompts are only collected, all other analyses, which ask nothing new.
 */
export async function readByModel(mnemonic: Mnemonic, { sessions, ask }: { sessions: readonly string[] | undefined; ask: boolean }) {
  const of = sessions === undefined ? [{}] : sessions.map((session) => ({ session }))
  const reports: AnalyzeReport[] = []
  for (const one of of) reports.push(await mnemonic.analyze({ ...one, types: [FIRST] }))
  if (!ask) for (const one of of) reports.push(await mnemonic.analyze({ ...one, types: READ }))
  return reports
}
