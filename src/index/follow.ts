import { type MetaKey, readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { IDENTITY_KEY } from './identity.ts'
import type { Feed, VisitOptions, Waiting } from './indexable.ts'
import { FEEDS } from './indexables.ts'
import { type RunOptions, runVisits, type Visits } from './run.ts'
import type { Tally } from './tally.ts'

export interface FollowOptions {
  readonly store: Store
  readonly run: RunOptions
  readonly counts: Tally
  /** Skips missing documents. */
  readonly changedOnly?: boolean | undefined
  readonly groupsAtOnce: number
  readonly visit: Omit<VisitOptions, 'verify' | 'force'>
}

export interface Scope {
  readonly feed: Feed
  readonly scope: string
}

/** Undefined if never indexed. */
export async function readCursor({ store }: Pick<FollowOptions, 'store'>, { feed, scope }: Scope): Promise<number | undefined> {
  const value = Number(await readMeta(store.read, feed.cursorKey(scope)))
  return Number.isSafeInteger(value) ? value : undefined
}

/** The cursor moves per page: a crash repeats one. */
export async function follow(followed: Scope, options: FollowOptions): Promise<void> {
  const { read } = options.store
  const { feed, scope } = followed
  const cursor = await readCursor(options, followed)
  if (cursor === undefined) return fillScope(followed, { ...options, force: false })
  // Read first: later changes belong to the next run.
  const head = await feed.newest(read)
  const changed = head > cursor ? feed.changed(read, scope, { after: cursor, upTo: head }) : NOTHING
  const missing = (options.changedOnly ? undefined : feed.missing?.(read, cursor)) ?? NOTHING
  const counts = { changed: await changed.count(), missing: await missing.count() }
  const total = counts.changed + counts.missing
  if (head <= cursor && total === 0) return
  // Saved first: after a crash, topics and flags must count as missing.
  if (!options.visit.analyze) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
  const visits = { ...options, verify: false, force: false }
  const moveCursor = (to: number) => saveMeta(options, feed.cursorKey(scope), String(to))
  const visited = await visitAll(followed, changed, { ...visits, of: { before: 0, total } }, moveCursor)
  if (head > cursor) await moveCursor(head)
  if (counts.missing > 0) await visitAll(followed, missing, { ...visits, of: { before: visited, total } })
}

const NOTHING: Waiting = {
  count: async () => 0,
  async *pages() {},
}

/** With all scopes covered, the index has one version. */
export async function fill(scopes: readonly Scope[], options: FollowOptions & { force: boolean }): Promise<void> {
  for (const scope of scopes) await fillScope(scope, options)
  const isFilled = ({ feed, scope }: Scope) => scopes.some((one) => one.feed === feed && one.scope === scope)
  const others = (await allScopes(options.store)).filter((scope) => !isFilled(scope))
  if (others.length === 0) await saveMeta(options, IDENTITY_KEY, options.visit.identity)
}

export async function allScopes({ read }: Store, agentId?: string): Promise<Scope[]> {
  const scopes: Scope[] = []
  for (const feed of FEEDS) for (const scope of await feed.scopes(read, agentId)) scopes.push({ feed, scope })
  return scopes
}

async function fillScope(filled: Scope, options: FollowOptions & { force: boolean }): Promise<void> {
  const { store, force } = options
  const { feed, scope } = filled
  // An interrupted forced run leaves partial documents: the next must visit all.
  if (force) await store.write((tx) => removeMeta(tx.db, feed.cursorKey(scope)))
  const head = await feed.newest(store.read)
  const all = feed.changed(store.read, scope, { after: undefined, upTo: head })
  // The cursor is set at the end, so an interrupted run restarts.
  await visitAll(filled, all, { ...options, verify: true, force, of: { before: 0, total: await all.count() } })
  if (feed.prune !== undefined) {
    options.counts.removed += await store.write(async (tx) => {
      await options.run.lease?.check(tx)
      return (await feed.prune?.(tx)) ?? 0
    })
  }
  await saveMeta(options, feed.cursorKey(scope), String(head))
}

interface VisitAll extends FollowOptions, Required<Pick<Visits, 'of'>> {
  readonly verify: boolean
  readonly force: boolean
}

/** `onReached`: how far the cursor may move. */
async function visitAll(
  { feed }: Scope,
  waiting: Waiting,
  { store, run, counts, groupsAtOnce, visit, verify, force, of: { before, total } }: VisitAll,
  onReached?: (position: number) => Promise<void>,
): Promise<number> {
  let done = 0
  for await (const { ids, reached } of waiting.pages(groupsAtOnce)) {
    // Groups may join meanwhile.
    const of = { before: before + done, total: Math.max(total, before + done + ids.length) }
    await runVisits(ids, { store, feed, run, visit: { ...visit, verify, force }, onVisited: counts.add, of })
    done += ids.length
    if (reached !== undefined) await onReached?.(reached)
  }
  return done
}

async function saveMeta({ store, run }: FollowOptions, key: MetaKey, value: string): Promise<void> {
  await store.write(async (tx) => {
    await run.lease?.check(tx)
    await writeMeta(tx.db, key, value)
  })
}
