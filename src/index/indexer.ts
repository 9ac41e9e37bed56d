/** Reads no disk and writes no ledger table. */
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { toIso } from '../core/time.ts'
import { loggedOnce } from '../store/job.ts'
import { readMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import type { ToolIndexing } from '../store/work.ts'
import type { Owner } from './chunk-row.ts'
import { type Cleaned, clean } from './clean.ts'
import type { IndexDocument } from './document.ts'
import { documentOfTurn } from './document-of-turn.ts'
import { episodes } from './episodes.ts'
import { allScopes, type FollowOptions, fill, follow, readCursor } from './follow.ts'
import { followChunkContext } from './follow-chunk-context.ts'
import { IDENTITY_KEY, indexIdentity, unanalyzed } from './identity.ts'
import type { IndexReport, IndexStatusRow } from './index-report.ts'
import { publishedHistory } from './published-history.ts'
import { type RunOptions, runVisits } from './run.ts'
import { sessionFeed } from './session-feed.ts'
import { sessionToIndex } from './session-group.ts'
import { type Tally, tally } from './tally.ts'
import { followWork, indexWork, type MakeWork, rebuildWork } from './work-stage.ts'

export interface IndexerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  /** Default 500. */
  readonly maxChunkTokens?: number
  /** Default 2,000. */
  readonly maxChunksPerSession?: number
  /** Default `all`. */
  readonly tools?: ToolIndexing
  /** Default 5,000 ids. */
  readonly groupsAtOnce?: number
}

export interface TailOptions extends RunOptions {
  /** If absent: all. */
  readonly agentId?: string
  /** False defers topics and flags. */
  readonly analyze?: boolean
  /** Skips missing documents. For repeated calls, except the last. */
  readonly changedOnly?: boolean
  readonly makeWork?: MakeWork
}

export interface BackfillOptions extends Omit<TailOptions, 'analyze' | 'changedOnly' | 'makeWork'> {
  readonly force?: boolean
}

export interface Indexer {
  /** Compare with `index_identity` in `meta`. */
  readonly identity: string
  /** Indexes changes and missing documents. Without a cursor or after a version change, runs a backfill. */
  tail(options?: TailOptions): Promise<IndexReport>
  /** Compares everything. */
  backfill(options?: BackfillOptions): Promise<IndexReport>
  tailPublished(options?: RunOptions): Promise<IndexReport>
  /** Throws NOT_FOUND. Keeps the cursor. */
  indexSession(sessionId: string, options?: RunOptions & { force?: boolean }): Promise<IndexReport>
  /** Keeps the cursor. */
  indexEpisodes(ids: readonly string[], options?: RunOptions): Promise<IndexReport>
  status(): Promise<IndexStatusRow[]>
  clean(options?: RunOptions): Promise<Cleaned>
  pending(agentId?: string): Promise<number>
  /** Exact indexed text. */
  buildDocument(turnId: string): Promise<IndexDocument | undefined>
}

export function indexer(options: IndexerOptions): Indexer {
  const { store, clock, owner, maxChunkTokens = 500, maxChunksPerSession = 2000, tools = 'all', groupsAtOnce = 5000 } = options
  const identity = indexIdentity(maxChunkTokens)

  function job(agentId: string | undefined, work: (counts: Tally) => Promise<unknown>): Promise<IndexReport> {
    const counts = tally(maxChunksPerSession)
    const started = clock()
    return loggedOnce(store, { kind: 'index', agentId: agentId ?? 'main', clock }, async (note) => {
      try {
        await work(counts)
      } finally {
        note.items = counts.sessions
      }
      return counts.report(Math.max(0, Math.round(clock() - started)))
    })
  }

  function following(run: RunOptions, counts: Tally, analyze = true): FollowOptions {
    const built = analyze
      ? { identity, accepts: [identity] }
      : { identity: unanalyzed(identity), accepts: [identity, unanalyzed(identity)] }
    return {
      store,
      run,
      counts,
      groupsAtOnce,
      visit: { ...built, analyze, maxTokens: maxChunkTokens, maxChunks: maxChunksPerSession, owner, clock },
    }
  }

  const cleanUp = ({ lease }: RunOptions) => clean(store, async (tx) => lease?.check(tx))

  return {
    identity,
    tail: ({ agentId, analyze, changedOnly, makeWork, ...run } = {}) =>
      job(agentId, async (counts) => {
        const options = { ...following(run, counts, analyze), changedOnly }
        // Any agent may have stale documents.
        const built = (await readMeta(store.read, IDENTITY_KEY)) ?? ''
        if (!options.visit.accepts.includes(built)) await fill(await allScopes(store), { ...options, force: false })
        else for (const scope of await allScopes(store, agentId)) await follow(scope, options)
        await followChunkContext(store, { guard: async (tx) => run.lease?.check(tx), signal: run.signal })
        // Most searches want messages.
        counts.calls += await followWork(store, { agentId, tools, makeWork, ...run })
      }),
    backfill: ({ agentId, force = false, ...run } = {}) =>
      job(agentId, async (counts) => {
        await fill(await allScopes(store, agentId), { ...following(run, counts), force })
        counts.calls += await (force ? rebuildWork : followWork)(store, { agentId, tools, ...run })
        counts.removed += (await cleanUp(run)).documents
      }),
    tailPublished: (run = {}) => job(undefined, (counts) => follow({ feed: publishedHistory.feed, scope: 'all' }, following(run, counts))),
    async indexSession(sessionId, { force = false, ...run } = {}) {
      const { agent_id } = (await sessionToIndex(store.read, sessionId)) ?? throwNotFound(sessionId)
      return job(agent_id, async (counts) => {
        const { visit } = following(run, counts)
        await runVisits([sessionId], { store, feed: sessionFeed, run, visit: { ...visit, verify: true, force }, onVisited: counts.add })
        counts.calls += await indexWork(store, sessionId, { force, tools, ...run })
      })
    },
    indexEpisodes: (ids, run = {}) =>
      job(undefined, (counts) => {
        const { visit } = following(run, counts)
        return runVisits(ids, { store, feed: episodes.feed, run, visit: { ...visit, verify: true, force: false }, onVisited: counts.add })
      }),
    status: () => statusRows(store),
    clean: (run = {}) => cleanUp(run),
    async pending(agentId) {
      let waiting = 0
      for (const scope of await sessionFeed.scopes(store.read, agentId)) {
        const after = await readCursor({ store }, { feed: sessionFeed, scope })
        waiting += await sessionFeed.changed(store.read, scope, { after, upTo: await sessionFeed.newest(store.read) }).count()
      }
      return waiting
    },
    buildDocument: (turnId) => documentOfTurn(store, turnId),
  }
}

function throwNotFound(sessionId: string): never {
  throw new MnemonicError('NOT_FOUND', `no session has the id ${sessionId}`, {
    details: { session: sessionId },
    hint: 'List sessions with: mnemonic sessions',
  })
}

async function statusRows(store: Store): Promise<IndexStatusRow[]> {
  const rows = await store.read.selectFrom('index_state').selectAll().orderBy('last_indexed', 'desc').orderBy('session_id').execute()
  return rows.map((row) => ({ ...row, last_indexed: toIso(row.last_indexed) }))
}
