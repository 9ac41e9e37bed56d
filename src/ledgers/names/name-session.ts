/**
 * In order: the owner's title, the source's, a plan's heading, a pull request, a major commit, the first meaningful prompt. Independent of
 * record order.
 */
import type { Kysely } from 'kysely'
import { redactSensitiveText } from '../../core/redact.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import type { Tables, TitleOrigin } from '../../store/tables.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import { TITLE_RANK } from '../agent-record.ts'
import { isForgottenTitle } from '../forgotten-records.ts'
import { commitsSeen } from './commits-seen.ts'
import { mostSeen, repositorySeen } from './repository-seen.ts'
import { callTitle, commandIn, NAMING_PARAMS, PLAN_TOOLS } from './title-of-call.ts'
import { anyTitle, handedPlan, promptTitle } from './title-of-text.ts'

/** Increment with the rules in this folder: every session is then renamed without its source. */
export const NAMES_VERSION = 3

export interface Named {
  readonly title: string | null
  readonly title_origin: TitleOrigin | null
}

export async function nameSession(tx: WriteTx, id: string, tombstones: Tombstones | undefined): Promise<boolean> {
  const [session] = await sessionById(tx.db, { id })
  if (session === undefined) return false
  const calls = await callsThatName(tx, id)
  const isAllowed = (title: string) => tombstones === undefined || !isForgottenTitle([id], title, tombstones)
  const own = session.own_title !== null && isAllowed(session.own_title) ? session.own_title : null
  const given = session.source_title !== null && isAllowed(session.source_title) ? session.source_title : null
  const isFirm = session.title_rank > TITLE_RANK.prompt
  const { title, title_origin } = await chosen(tx, { id, own, given, isFirm, calls, isAllowed })
  const shell = calls.map(({ params_json, result_json }) => ({ command: commandIn(params_json ?? '') ?? '', result: result_json ?? '' }))
  const seen = mostSeen(shell.flatMap((call) => repositorySeen(call, session.workspace_path) ?? []))
  const repository_seen = seen !== undefined && tombstones?.holds('value', seen) ? null : (seen ?? null)
  await replaceCommits(
    tx,
    id,
    commitsSeen(shell, session.workspace_path).filter((hash) => !tombstones?.holds('value', hash)),
  )
  await setNames(tx.db, { id, title, title_origin, repository_seen, names_version: NAMES_VERSION })
  if (title === session.title) return false
  await tx.db.updateTable('threads').set({ name: title }).where('id', '=', `aix_session:${id}`).execute()
  return true
}

interface Given {
  readonly id: string
  readonly own: string | null
  readonly given: string | null
  /** Made by the source, not a repeated prompt. */
  readonly isFirm: boolean
  readonly calls: readonly Call[]
  readonly isAllowed: (title: string) => boolean
}

async function chosen(tx: WriteTx, { id, own, given, isFirm, calls, isAllowed }: Given): Promise<Named> {
  if (own !== null) return { title: own, title_origin: 'owner' }
  const clean = (title: string) => redactSensitiveText(title, { mode: 'tools' })
  if (given !== null && isFirm && !isDefault(given)) return { title: clean(given), title_origin: 'harness' }
  const prompts = (await promptsOf(tx, id)).filter(isAllowed)
  const found = calls.flatMap(({ tool_name, params_json, status }) =>
    status === 'error' ? [] : (callTitle(tool_name, params_json ?? '') ?? []),
  )
  const first = (origin: TitleOrigin) => found.find((one) => one.origin === origin && isAllowed(one.title))?.title
  const firstOf = (make: (prompt: string) => string | undefined) => {
    for (const prompt of prompts) {
      const said = make(prompt)
      if (said === undefined || !isAllowed(said)) continue
      const title = make(redactSensitiveText(prompt.slice(0, LOOKED_AT), { mode: 'tools' }))
      if (title !== undefined && isAllowed(title)) return title
    }
    return undefined
  }
  const plan = firstOf(handedPlan) ?? first('plan')
  if (plan !== undefined) return { title: clean(plan), title_origin: 'plan' }
  const pull = first('pull_request')
  if (pull !== undefined) return { title: clean(pull), title_origin: 'pull_request' }
  const [commit, prompt] = [first('commit'), firstOf(promptTitle)]
  if (commit !== undefined && (prompt === undefined || !saysMore(prompts))) return { title: clean(commit), title_origin: 'commit' }
  const chosenBy = given === null ? null : clean(given)
  const title = prompt ?? chosenBy ?? firstOf(anyTitle) ?? null
  return { title, title_origin: title === null ? null : title === chosenBy ? 'harness' : 'prompt' }
}

/** Alternative title: the first prompt if a commit or pull request names the session, else the first commit. */
export async function secondName(
  db: Kysely<Tables>,
  { id, title_origin }: { id: string; title_origin: string | null },
): Promise<string | null> {
  if (title_origin === 'commit' || title_origin === 'pull_request') {
    for (const prompt of await promptsOf({ db }, id)) {
      const title = promptTitle(redactSensitiveText(prompt.slice(0, LOOKED_AT), { mode: 'tools' }))
      if (title !== undefined) return title
    }
  }
  if (title_origin !== 'prompt') return null
  const found = (await commitCalls(db, { id })).sort((a, b) => byTime({ timestamp: a.started_at }, { timestamp: b.started_at }))
  const titles = found.flatMap(({ tool_name, params_json }) => callTitle(tool_name, params_json ?? '') ?? [])
  return titles.find(({ origin }) => origin === 'commit')?.title ?? null
}

/** In a session with more meaningful prompts, one commit is only a small part. */
const MOST_FOR_COMMIT = 3

function saysMore(prompts: readonly string[]): boolean {
  let said = 0
  for (const one of prompts) {
    if (promptTitle(one) !== undefined) said += 1
    if (said > MOST_FOR_COMMIT) return true
  }
  return false
}

const DEFAULT = /^(?:new|untitled)(?: (?:chat|conversation|session|thread|agent|composer|task))?\b[\s\d:.-]*$/i

/** Placeholder titles of harnesses. */
function isDefault(title: string): boolean {
  return DEFAULT.test(title) || !/\p{L}/u.test(title)
}

const MOST_PROMPTS = 60
const LOOKED_AT = 16 * 1024

/** Oldest first. Commands last, because they are often routine. */
async function promptsOf({ db }: Pick<WriteTx, 'db'>, id: string): Promise<string[]> {
  const rows = await firstPrompts(db, { id })
  const current = rows.filter(({ status }) => status !== 'superseded')
  const ordered = (current.length > 0 ? current : rows).sort(
    (a, b) => Number(a.kind === 'command') - Number(b.kind === 'command') || byTime(a, b) || a.sequence - b.sequence,
  )
  return ordered.flatMap(({ content }) => content ?? [])
}

function byTime(a: { readonly timestamp: number | null }, b: { readonly timestamp: number | null }): number {
  return (a.timestamp ?? Number.MAX_SAFE_INTEGER) - (b.timestamp ?? Number.MAX_SAFE_INTEGER)
}

interface Call {
  readonly id: string
  readonly tool_name: string | null
  readonly params_json: string | null
  readonly result_json: string | null
  readonly status: string
  readonly started_at: number | null
}

async function callsThatName(tx: WriteTx, id: string): Promise<Call[]> {
  const rows = await namingCalls(tx.db, { id })
  return rows.sort((a, b) => byTime({ timestamp: a.started_at }, { timestamp: b.started_at }) || (a.id < b.id ? -1 : 1))
}

const sessionById = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('agent_sessions').select(['title', 'own_title', 'source_title', 'title_rank', 'workspace_path']).where('id', '=', id),
)

const firstPrompts = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select(['m.kind', 'm.content', 'm.sequence', 'm.timestamp', 't.status'])
    .where('m.session_id', '=', id)
    .where('m.kind', 'in', ['prompt', 'command'])
    .orderBy('m.sequence')
    .limit(MOST_PROMPTS),
)

const namingCalls = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_tool_calls')
    .select(['id', 'tool_name', 'params_json', 'result_json', 'status', 'started_at'])
    .where('session_id', '=', id)
    .where((eb) => eb.or([eb('tool_name', 'in', [...PLAN_TOOLS]), ...NAMING_PARAMS.map((part) => eb('params_json', 'like', `%${part}%`))])),
)

const commitCalls = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_tool_calls')
    .select(['tool_name', 'params_json', 'started_at'])
    .where('session_id', '=', id)
    .where('status', '<>', 'error')
    .where('params_json', 'like', '%git commit%'),
)

async function replaceCommits(tx: WriteTx, id: string, hashes: readonly string[]): Promise<void> {
  await dropCommits(tx.db, { id })
  for (const hash of hashes) await putCommit(tx.db, { id, hash })
}

const dropCommits = compiledOnce((db, { id }: { id: string }) => db.deleteFrom('session_commits').where('session_id', '=', id))

const putCommit = compiledOnce((db, { id, hash }: { id: string; hash: string }) =>
  db.insertInto('session_commits').values({ session_id: id, hash }),
)

const setNames = compiledOnce((db, row: { id: string; repository_seen: string | null; names_version: number } & Named) =>
  db
    .updateTable('agent_sessions')
    .set({ title: row.title, title_origin: row.title_origin, repository_seen: row.repository_seen, names_version: row.names_version })
    .where('id', '=', row.id),
)
