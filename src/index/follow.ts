/** The two ways to the same index: follow what changed since a cursor, or look at every group. */
import { type MetaKey, readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { IDENTITY_KEY } from './identity.ts'
import type { Feed, VisitOptions } from './indexable.ts'
import { FEEDS } from './indexables.ts'
import { type RunOptions, runVisits } from './run.ts'
import type { Tally } from './tally.ts'

export interface FollowOptions {
  readonly store: Store
  readonly run: RunOptions
  readonly counts: Tally
  /** Leave aside what is missing in the index without having changed. */
  readonly changedOnly?: boolean | undefined
  readonly visit: Omit<VisitOptions, 'verify' | 'force'>
}

/** What one cursor follows. */
export interface Scope {
  readonly feed: Feed
  readonly scope: string
}

/** Undefined when nothing of it was ever indexed. */
export async function readCursor({ store }: Pick<FollowOptions, 'store'>, { feed, scope }: Scope): Promise<number | undefined> {
  const value = Number(await readMeta(store.read, feed.cursorKey(scope)))
  return Number.isSafeInteger(value) ? value : undefined
}

/** Indexes what changed or is missing. The cursor moves last: a crash before that only repeats what is done. */
export async function follow(followed: Scope, options: FollowOptions): Promise<void> {
  const { store } = options
  const { feed, scope } = followed
  const cursor = await readCursor(options, followed)
  if (cursor === undefined) return fillScope(followed, { ...options, force: false })
  // Read first: what is appended while we work comes after it and is left to the next run.
  const head = await feed.newest(store.read)
  const missing = options.changedOnly ? [] : ((await feed.missing?.(store.read)) ?? [])
  if (head <= cursor && missing.length === 0) return
  // Saved before a document is written without them: after a crash the next run must see that topics and flags are missing.
  if (!options.visit.analyze) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
  const changed = head <= cursor ? [] : await feed.changed(store.read, scope, cursor)
  await visitAll(followed, [...new Set([...changed, ...missing])], { ...options, verify: false, force: false })
  if (head > cursor) await saveMeta(options, feed.cursorKey(scope), String(head))
}

/** Looks at everything in these scopes. When there are no others, the index is of one version after that. */
export async function fill(scopes: readonly Scope[], options: FollowOptions & { force: boolean }): Promise<void> {
  for (const scope of scopes) await fillScope(scope, options)
  const isFilled = ({ feed, scope }: Scope) => scopes.some((one) => one.feed === feed && one.scope === scope)
  const others = (await allScopes(options.store)).filter((scope) => !isFilled(scope))
  if (others.length === 0) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
}

/** Everything that a cursor follows; of sessions only those of one agent where it is named. */
export async function allScopes({ read }: Store, agentId?: string): Promise<Scope[]> {
  const scopes: Scope[] = []
  for (const feed of FEEDS) for (const scope of await feed.scopes(read, agentId)) scopes.push({ feed, scope })
  return scopes
}

async function fillScope(filled: Scope, options: FollowOptions & { force: boolean }): Promise<void> {
  const { store, force } = options
  const { feed, scope } = filled
  // A forced run that is broken off leaves documents half written: without a cursor the next tail looks at all of them.
  if (force) await store.write((tx) => removeMeta(tx.db, feed.cursorKey(scope)))
  const head = await feed.newest(store.read)
  await visitAll(filled, await feed.changed(store.read, scope, undefined), { ...options, verify: true, force })
  if (feed.prune !== undefined) {
    options.counts.removed += await store.write(async (tx) => {
      await options.run.lease?.check(tx)
      return (await feed.prune?.(tx)) ?? 0
    })
  }
  await saveMeta(options, feed.cursorKey(scope), String(head))
}

async function visitAll(
  { feed }: Scope,
  ids: readonly string[],
  { store, run, counts, visit, verify, force }: FollowOptions & { verify: boolean; force: boolean },
): Promise<void> {
  await runVisits(ids, { store, feed, run, visit: { ...visit, verify, force }, onVisited: counts.add })
}

async function saveMeta({ store, run }: FollowOptions, key: MetaKey, value: string): Promise<void> {
  await store.write(async (tx) => {
    await run.lease?.check(tx)
    await writeMeta(tx.db, key, value)
  })
}
