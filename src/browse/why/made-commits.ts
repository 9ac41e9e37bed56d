/** Which session made a commit: by git's output in a call, or by a trailer with the session id. */
import { resultOf } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import type { Store } from '../../store/store.ts'
import type { WhyCommit } from './history.ts'

export interface CommitMaker {
  readonly session: string
  readonly turn: string | null
  readonly by: 'result' | 'trailer'
}

const MOST_COMMITS = 80
const MOST_CALLS = 20
const SHORT = 7
/** `[main 1a2b3c4] subject`, as git prints it. */
const PRINTED = /(?:^|\n)\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /g
const TRAILER = /^([A-Za-z][A-Za-z-]{1,60}):\s+(\S.{0,300})$/gm
const SESSION_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** By hash. A commit that two sessions seem to have made has no maker. */
export async function makersOf(store: Store, commits: readonly WhyCommit[], agentId: string): Promise<Map<string, CommitMaker>> {
  const found = new Map<string, CommitMaker>()
  for (const commit of commits.slice(0, MOST_COMMITS)) {
    const maker = (await printedBy(store, commit, agentId)) ?? (await namedIn(store, commit, agentId))
    if (maker !== undefined) found.set(commit.hash, maker)
  }
  return found
}

async function printedBy(store: Store, { hash }: WhyCommit, agentId: string): Promise<CommitMaker | undefined> {
  if (store.work.tools !== 'all') return undefined
  const filter = { branches: true, ...(agentId === 'all' ? {} : { agentId }) }
  const term = { words: [hash.slice(0, SHORT)], prefix: true }
  const { hits } = await store.work.search({ all: [term], any: [], didOnly: true }, filter, MOST_CALLS)
  const calls = await store.work.calls(
    hits.map(({ id }) => id),
    200_000,
  )
  const makers = calls.filter(({ tool, result_json, status }) => {
    if (toolKind(tool) !== 'shell' && toolKind(tool) !== 'other') return false
    const { text } = resultOf({ result_json, status })
    return [...text.matchAll(PRINTED)].some(([, printed]) => hash.startsWith(printed as string))
  })
  const [first] = makers
  if (first === undefined || makers.some(({ session_id }) => session_id !== first.session_id)) return undefined
  return { session: first.session_id, turn: first.turn_id, by: 'result' }
}

/** Trailers hold a session id or a checkpoint id that a message carries. */
async function namedIn(store: Store, { message }: WhyCommit, agentId: string): Promise<CommitMaker | undefined> {
  const last =
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const trailers = [...last.slice(0, 4000).matchAll(TRAILER)].map(([, key = '', value = '']) => ({
    key: key.toLowerCase(),
    value: value.trim(),
  }))
  const ids = [...new Set(trailers.flatMap(({ value }) => value.match(SESSION_ID) ?? []).map((id) => id.toLowerCase()))]
  if (ids.length === 0) return undefined
  let query = store.read
    .selectFrom('agent_sessions')
    .select('id')
    .where('native_id', 'in', ids.slice(0, 10))
    .where('status', '<>', 'deleted')
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const rows = await query.execute()
  const [only] = rows
  return only !== undefined && rows.length === 1 ? { session: only.id, turn: null, by: 'trailer' } : undefined
}
