/** The two roads to the same index: follow the ledger's history from a cursor, or look at every session. */

import { type MetaKey, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { agentsWithSessions, allSessions, cursorKey, movedSessions, newestHistory, readCursor } from './cursor.ts'
import { IDENTITY_KEY } from './identity.ts'
import { type RunOptions, runVisits } from './run.ts'
import type { Tally } from './tally.ts'
import type { VisitOptions } from './visit-session.ts'

export interface FollowOptions {
  readonly store: Store
  readonly run: RunOptions
  readonly counts: Tally
  readonly visit: Omit<VisitOptions, 'verify' | 'force'>
}

/** Indexes the sessions of an agent that moved. The cursor moves last: a crash before that only repeats what is done. */
export async function follow(agentId: string, options: FollowOptions): Promise<void> {
  const { store } = options
  const cursor = await readCursor(store.read, agentId)
  if (cursor === undefined) return fillAgent(agentId, { ...options, force: false })
  // Read first: what is appended while we work lies behind it and is the next run's.
  const head = await newestHistory(store.read)
  if (head <= cursor) return
  // Told before a document is written without them: whoever comes after a crash has to know that topics and flags are missing.
  if (!options.visit.analyze) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
  await visitAll(await movedSessions(store.read, agentId, cursor), options, { verify: false, force: false })
  await saveMeta(options, cursorKey(agentId), String(head))
}

/** Looks at all sessions of agents. When those are all agents there are, the index is of one version after that. */
export async function fill(agents: readonly string[], options: FollowOptions & { force: boolean }): Promise<void> {
  for (const agent of agents) await fillAgent(agent, options)
  const others = (await agentsWithSessions(options.store.read)).filter((agent) => !agents.includes(agent))
  if (others.length === 0) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
}

async function fillAgent(agentId: string, options: FollowOptions & { force: boolean }): Promise<void> {
  const { store, force } = options
  // A forced run that is broken off leaves sessions half written: without a cursor the next tail looks at all of them.
  if (force) await store.write((tx) => removeMeta(tx.db, cursorKey(agentId)))
  const head = await newestHistory(store.read)
  await visitAll(await allSessions(store.read, agentId), options, { verify: true, force })
  await saveMeta(options, cursorKey(agentId), String(head))
}

async function visitAll(sessions: readonly string[], options: FollowOptions, how: { verify: boolean; force: boolean }): Promise<void> {
  const { store, run, counts, visit } = options
  await runVisits(store, sessions, { visit: { ...visit, ...how }, run, onVisited: counts.add })
}

async function saveMeta({ store, run }: FollowOptions, key: MetaKey, value: string): Promise<void> {
  await store.write(async (tx) => {
    await run.lease?.check(tx)
    await writeMeta(tx.db, key, value)
  })
}
