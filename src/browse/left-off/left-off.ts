/** Where work on a project stopped: its newest sessions, current branch first, and the state of the first. Redacted. */
import { withoutEmpty } from '../../analyze/outcome/empty-session.ts'
import { plainLine } from '../../analyze/plain-line.ts'
import { projectName } from '../../core/named.ts'
import { formatInZone, isoOrNull, toIso } from '../../core/time.ts'
import { projectCalled } from '../../ingest/project-called.ts'
import { projectLocator } from '../../ingest/project-of.ts'
import { keysOfFolder } from '../../ledgers/projects/find-project.ts'
import { shortSessionIds, shortTurnIds } from '../../ledgers/short-ids.ts'
import type { LeftOffAnswer, LeftOffSession, LeftOffState } from '../../search/left-off-answer.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { askedSpan } from '../timeline/asked-span.ts'
import { leftOffText } from './left-off-text.ts'
import { sessionState } from './session-state.ts'
import { branchAt, workingTree } from './working-tree.ts'

export interface LeftOffRequest {
  /** Selects project and branch. */
  readonly folder?: string
  /** Overrides the folder: name, path or remote. */
  readonly project?: string
  readonly branch?: string
  /** Only sessions of this time: yesterday, last week, 2026-02-03. */
  readonly day?: string
  /** Native id of the calling session, which is skipped. */
  readonly session?: string
  readonly agent?: string
  /** Token limit of the text; default 300. */
  readonly maxTokens?: number
}

export interface LeftOffOptions {
  readonly agentId: string
  readonly timezone: string
  readonly now: number
  /** Time limit for git; 0 skips git. */
  readonly gitMs: number
}

const SESSIONS = 40
const SHOWN = 4
const SHOWN_OF_TIME = 6
const TOKENS = 300
const LONGEST_TITLE = 120
/** Every branch starts there: they say nothing about the work. */
const TRUNKS: ReadonlySet<string> = new Set(['main', 'master', 'trunk', 'develop', 'HEAD'])
const MOST_FILES = 20

export async function leftOff(store: Store, request: LeftOffRequest, options: LeftOffOptions): Promise<LeftOffAnswer> {
  const { folder, project, day, maxTokens = TOKENS } = request
  const span = day === undefined ? undefined : spanOf(day, options)
  const scope = await scopeOf(store, folder, project)
  const branch = request.branch ?? (folder === undefined || project !== undefined ? undefined : branchAt(folder))
  const asked = { request, scope, agentId: request.agent ?? options.agentId }
  const ofTime =
    span === undefined ? [] : await nonEmpty(store, await withBranches(store, await newest(store, { ...asked, span })), SHOWN_OF_TIME)
  // If that time has none, returns the newest of all.
  const all = ofTime.length > 0 ? [] : await newest(store, { ...asked, span: undefined })
  const chosen = ofTime.length > 0 ? ofTime : await nonEmpty(store, await inOrder(store, all, { branch, folder }), SHOWN)
  const short = await shortSessionIds(store, chosen)
  const sessions = chosen.map((row) => shownSession(row, short.get(row.id) ?? row.id))
  const first = chosen[0]
  const state = first === undefined ? null : await stateOf(store, first, ofTime.length > 0 ? 0 : options.gitMs)
  const time = span === undefined ? null : { from: toIso(span.from), to: toIso(span.to), days: span.days, sessions: ofTime.length }
  const name = first === undefined ? undefined : projectName(first)
  const facts = {
    project: name === undefined ? null : redactText(name),
    branch: branch ?? null,
    time,
    sessions,
    state,
    timezone: options.timezone,
  }
  const made = leftOffText(facts, { now: options.now, maxTokens, isScoped: scope !== undefined })
  return { ...facts, ...made }
}

function spanOf(day: string, { timezone, now }: LeftOffOptions): { from: number; to: number; days: string } {
  const { from, to } = askedSpan({ day }, { timezone, now })
  const date = (at: number) => formatInZone(at, timezone).replace(/ at .*$/, '')
  const [first, last] = [date(from), date(to - 1)]
  return { from, to, days: first === last ? first : `${first} to ${last}` }
}

/** Undefined: every project. An unknown folder has no sessions. */
async function scopeOf(store: Store, folder: string | undefined, project: string | undefined): Promise<ProjectScope | undefined> {
  if (project !== undefined) return projectCalled(store, project)
  if (folder === undefined) return undefined
  const keys = await keysOfFolder(store, folder, projectLocator()(folder))
  return { keys: keys.size === 0 ? [''] : [...keys], folders: [], ids: [] }
}

interface Asked {
  readonly request: LeftOffRequest
  readonly scope: ProjectScope | undefined
  readonly span: { readonly from: number; readonly to: number } | undefined
  readonly agentId: string
}

/** Excludes text of strangers and personal conversations. */
async function newest({ read }: Store, { request, scope, span, agentId }: Asked) {
  let query = read
    .selectFrom('agent_sessions')
    .select([
      'id',
      'native_id',
      'source',
      'title',
      'project',
      'project_name',
      'workspace_path',
      'context_json',
      'last_message_at',
      'started_at',
    ])
    .where('is_subagent', '=', 0)
    .where('status', '<>', 'deleted')
    .where('trust', 'in', ['owner', 'agent'])
    .where('last_message_at', 'is not', null)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (request.session !== undefined) query = query.where('native_id', '<>', request.session)
  if (span !== undefined) query = query.where('last_message_at', '>=', span.from).where('started_at', '<', span.to)
  if (scope !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('repository', 'project'), 'in', scope.keys),
        eb('workspace_path', 'in', scope.folders),
        eb('id', 'in', scope.ids),
      ]),
    )
  return query.orderBy('last_message_at', 'desc').orderBy('id').limit(SESSIONS).execute()
}

type Row = Awaited<ReturnType<typeof newest>>[number]

interface Placed extends Row {
  readonly branch: string | null
  readonly branches: readonly string[]
}

/** Same branch first, then same folder, then the rest; each newest first. */
async function inOrder(
  store: Store,
  rows: readonly Row[],
  { branch, folder }: { readonly branch: string | undefined; readonly folder: string | undefined },
): Promise<Placed[]> {
  const placed = await withBranches(store, rows)
  const isOnBranch = ({ branches }: Placed) => branch !== undefined && !TRUNKS.has(branch) && branches.includes(branch)
  const isInFolder = ({ workspace_path }: Row) => folder !== undefined && workspace_path !== null && samePath(workspace_path, folder)
  const ordered: { readonly row: Placed; readonly place: number; readonly at: number }[] = []
  for (const row of placed) {
    const at = row.last_message_at ?? 0
    if (!isOnBranch(row)) ordered.push({ row, place: isInFolder(row) ? 1 : 2, at })
    else ordered.push({ row, place: 0, at: row.branch === branch ? at : ((await leftBranchAt(store, row.id)) ?? at) })
  }
  return ordered.sort((a, b) => a.place - b.place || b.at - a.at).map(({ row }) => row)
}

/** Last time on the first branch, for a session that changed branches. */
async function leftBranchAt({ read }: Store, session: string): Promise<number | undefined> {
  const row = await read
    .selectFrom('agent_messages')
    .select((eb) => eb.fn.max('timestamp').as('at'))
    .where('session_id', '=', session)
    .where('role', 'in', ['user', 'assistant'])
    .where((eb) => eb.or([eb('metadata_json', 'is', null), eb('metadata_json', 'not like', `%${BRANCH_KEY}%`)]))
    .executeTakeFirst()
  return row?.at ?? undefined
}

function samePath(one: string, other: string): boolean {
  const plain = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '')
  return plain(one) === plain(other)
}

async function withBranches(store: Store, rows: readonly Row[]): Promise<Placed[]> {
  const placed: Placed[] = []
  for (const row of rows) {
    const context = row.context_json === null ? {} : (JSON.parse(row.context_json) as { git_branch?: unknown; branch?: unknown })
    const first = [context.git_branch, context.branch].find((one) => typeof one === 'string') as string | undefined
    const last = await lastBranch(store, row.id)
    const branches = [...new Set([first, last].filter((one) => one !== undefined))]
    placed.push({ ...row, branch: last ?? first ?? null, branches })
  }
  return placed
}

/** Messages record a branch only if it differs from the first. */
async function lastBranch({ read }: Store, session: string): Promise<string | undefined> {
  const rows = await read
    .selectFrom('agent_messages')
    .select('metadata_json')
    .where('session_id', '=', session)
    .where('metadata_json', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(LAST_MESSAGES)
    .execute()
  for (const { metadata_json } of rows) {
    if (metadata_json?.includes(BRANCH_KEY) !== true) continue
    const { gitBranch } = JSON.parse(metadata_json) as { gitBranch?: unknown }
    if (typeof gitBranch === 'string') return gitBranch
  }
  return undefined
}

const BRANCH_KEY = '"gitBranch":"'
const LAST_MESSAGES = 3

async function nonEmpty(store: Store, rows: readonly Placed[], most: number): Promise<Placed[]> {
  const kept: Placed[] = []
  for (let at = 0; at < rows.length && kept.length < most; at += most)
    kept.push(...(await withoutEmpty(store.read, rows.slice(at, at + most))))
  return kept.slice(0, most)
}

function shownSession({ id, source, title, branch, workspace_path, last_message_at }: Placed, short: string): LeftOffSession {
  return {
    ...{ id: short, session_id: id, harness: source },
    title: title === null ? null : plainLine(redactText(title), LONGEST_TITLE) || null,
    branch: branch === null ? null : redactText(branch),
    folder: workspace_path === null ? null : redactText(workspace_path),
    last_message_at: isoOrNull(last_message_at) ?? '',
  }
}

async function stateOf(store: Store, { id, workspace_path, project }: Placed, gitMs: number): Promise<LeftOffState> {
  const roots = [workspace_path, project].filter((path) => path !== null).map((path) => path.replaceAll('\\', '/').replace(/\/+$/, ''))
  // Runs git while reading the ledger.
  const looking = gitMs > 0 && workspace_path !== null ? workingTree(workspace_path, gitMs) : undefined
  const { uncommitted, turn, ...state } = await sessionState(store, id, roots)
  const tree = await looking
  const short = turn === null ? undefined : (await shortTurnIds(store, [turn])).get(turn)
  const now = tree?.files.filter((path) => redactText(path) === path)
  const touched = (path: string) => uncommitted.some((one) => one === path || one.endsWith(`/${path}`) || path.endsWith(`/${one}`))
  const files = now === undefined ? uncommitted : [...now.filter(touched), ...now.filter((path) => !touched(path))]
  return {
    ...state,
    uncommitted: { by: now === undefined ? 'calls' : 'git', count: tree?.count ?? files.length, files: files.slice(0, MOST_FILES) },
    ...{ turn: short ?? null, turn_id: turn },
  }
}
