/** A copy of a room's home, read with the product's `analyze` and provider `command`. */
import type { AnalyzeReport, Mnemonic } from 'agent-mnemonic'
import { command, MODEL, shuffled } from './model-folder.ts'
import { type ModelRoom, opened } from './model-rooms.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { dist, type Store } from './retrieval-home.ts'

type Open = typeof import('../src/store/sqlite/open.ts')

const SESSIONS = 44
const LEAST_TURNS = 3
/** These share one call per window. Summaries need another call, not measured here. */
const READ = ['topics', 'decisions', 'entity_extraction', 'memory_extraction']
const FIRST = 'turn_labels'

export function openedWithModel(at: string, room: ModelRoom, answers: string, embedder?: CachedEmbedder): Promise<Mnemonic> {
  const limits = { daily_calls: 100_000, daily_tokens: 1_000_000_000, daily_usd: 1000, timeout_seconds: 120 }
  const analyze = { provider: 'command' as const, command: command(answers), model: MODEL, ...limits }
  return opened(at, room, { analyze, ...(embedder === undefined ? {} : { embedder }) })
}

/** A second connection to the open database. */
export async function withStore<T>(mnemonic: Mnemonic, work: (store: Store) => Promise<T>): Promise<T> {
  const { openSqlite } = await dist<Open>('store/sqlite/open.js')
  const store = await openSqlite({ path: mnemonic.paths.database, clock: Date.now })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Coding sessions of at least three turns that fit one call, so that no prompt depends on another. A seed picks 44. */
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
 * Runs labels first: they ask for every window before the graph changes, so prompts see equal memory. Then other analyses, unless only
 * collecting.
 */
export async function readByModel(mnemonic: Mnemonic, { sessions, ask }: { sessions: readonly string[] | undefined; ask: boolean }) {
  const of = sessions === undefined ? [{}] : sessions.map((session) => ({ session }))
  const reports: AnalyzeReport[] = []
  for (const one of of) reports.push(await mnemonic.analyze({ ...one, types: [FIRST] }))
  if (!ask) for (const one of of) reports.push(await mnemonic.analyze({ ...one, types: READ }))
  return reports
}
