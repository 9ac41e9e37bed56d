/**
 * Later state of the files that a turn wrote: how many changed, and whether decided code is gone. Uses written text, file times and git
 * history. Skips doubtful files and folders not on this machine.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { type ChangedSince, changedSince } from '../core/changed-since.ts'
import { isRemote } from '../ingest/git-folder.ts'
import { projectLocator } from '../ingest/project-of.ts'
import { type EditHunk, editsOf, lineKey } from '../ledgers/deeds/edits.ts'
import type { Store } from '../store/store.ts'
import { runGit } from './git.ts'
import { redactText } from './redact-stored.ts'

export interface SinceOptions {
  readonly agentId: string
  /** False: starts no git. */
  readonly git?: boolean
}

const MOST_TURNS = 20
const MOST_FILES_OF_TURN = 8
const MOST_FILES = 40
const MOST_LINES = 60
const MOST_BYTES = 1 << 20
const GIT_MS = 400
const GIT_BYTES = 1 << 20
/** Hooks of a harness format files just after an edit; file systems round times. */
const SETTLED_MS = 3000
const TELLING = 8
const MOST_NAMES = 4

interface Touched {
  readonly turn: string
  readonly session: string
  readonly path: string
  readonly at: number
  readonly isDeleted: boolean
  readonly call: number
}

type State = 'changed' | 'same' | 'unknown'

interface Looked extends Touched {
  readonly root: string
  readonly text: string | undefined
  state: State
}

/** By turn; unknown turns are omitted. */
export async function changesSince(store: Store, turnIds: readonly string[], options: SinceOptions): Promise<Map<string, ChangedSince>> {
  const turns = [...new Set(turnIds)].filter((id) => id !== '').slice(0, MOST_TURNS)
  if (turns.length === 0 || store.work.tools === 'off') return new Map()
  const touched = await touchedBy(store, turns, options.agentId)
  if (touched.length === 0) return new Map()
  const roots = await rootsOf(store, [...new Set(touched.map(({ session }) => session))])
  const here = touched.flatMap((one) => {
    const root = roots.get(one.session)
    return root === undefined || !isInside(one.path, root) ? [] : [{ one, root, seen: seenAt(one) }]
  })
  // Reads written text only if the file's time does not decide.
  const doubtful = here.filter(({ seen }) => seen !== 'same').map(({ one }) => one)
  const written = await writtenBy(store, doubtful)
  const files = here.map(({ one, root, seen }) => looked(one, { root, seen, hunks: written.get(`${one.turn} ${one.path}`) ?? [] }))
  if (options.git !== false) await askGit(store, files)
  return answers(store, files, written, options)
}

async function touchedBy({ read }: Store, turns: readonly string[], agentId: string): Promise<Touched[]> {
  let query = read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_tool_calls as t', 't.message_id', 'm.id')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .innerJoin('work_calls as c', 'c.call', 't.id')
    .innerJoin('work_files as f', 'f.call', 'c.id')
    .innerJoin('work_names as n', 'n.number', 'f.path')
    .select(['m.turn_id', 't.session_id', 'n.name', 'f.action', 'c.timestamp', 't.completed_at', 'c.id'])
    .where('m.turn_id', 'in', [...turns])
    .where('f.action', '<>', 'read')
    .where('s.status', '<>', 'deleted')
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  const rows = await query.orderBy('c.timestamp').limit(1000).execute()
  const last = new Map<string, Touched>()
  for (const { turn_id, session_id, name, action, timestamp, completed_at, id } of rows) {
    if (turn_id === null) continue
    const at = Math.max(timestamp, completed_at ?? 0)
    last.set(`${turn_id} ${name}`, { turn: turn_id, session: session_id, path: name, at, isDeleted: action === 'delete', call: id })
  }
  const counts = new Map<string, number>()
  return [...last.values()]
    .filter(({ turn }) => {
      counts.set(turn, (counts.get(turn) ?? 0) + 1)
      return (counts.get(turn) as number) <= MOST_FILES_OF_TURN
    })
    .slice(0, MOST_FILES)
}

/** Only folders that still hold the session's repository. */
async function rootsOf({ read }: Store, sessions: readonly string[]): Promise<Map<string, string>> {
  const rows = await read
    .selectFrom('agent_sessions')
    .select(['id', 'workspace_path', 'project', 'repository'])
    .where('id', 'in', [...sessions])
    .execute()
  const locate = projectLocator()
  const roots = new Map<string, string>()
  for (const { id, workspace_path, project, repository } of rows) {
    const folder = project ?? workspace_path
    const here = folder === null || isRemote(folder) ? undefined : locate(folder)
    if (folder === null || here === undefined) continue
    // Another repository may have taken its place. A merged one has no origin to compare.
    if (here.origin !== undefined && repository !== null && here.origin !== repository) continue
    if (here.origin === undefined && repository !== null && repository.includes('/') && !repository.startsWith('/')) continue
    roots.set(id, here.project)
  }
  return roots
}

function isInside(path: string, root: string): boolean {
  return path.startsWith(`${root}/`) && !path.includes('/../')
}

async function writtenBy(store: Store, here: readonly Touched[]): Promise<Map<string, EditHunk[]>> {
  const found = new Map<string, EditHunk[]>()
  if (here.length === 0) return found
  const rows = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_tool_calls as t', 't.message_id', 'm.id')
    .innerJoin('work_calls as c', 'c.call', 't.id')
    .innerJoin('work_files as f', 'f.call', 'c.id')
    .select(['m.turn_id', 'c.id'])
    .distinct()
    .where('m.turn_id', 'in', [...new Set(here.map(({ turn }) => turn))])
    .where('f.action', 'in', ['edit', 'create'])
    .orderBy('c.id')
    .limit(300)
    .execute()
  const turnOf = new Map(rows.map(({ id, turn_id }) => [id, turn_id]))
  const calls = await store.work.calls(
    rows.map(({ id }) => id),
    MOST_BYTES,
  )
  for (const call of calls.sort((a, b) => a.timestamp - b.timestamp)) {
    const edits = editsOf({ tool_name: call.tool, params_json: call.params_json, result_json: call.result_json, status: call.status })
    for (const { path, hunks } of edits) {
      const key = `${turnOf.get(call.id)} ${path}`
      found.set(key, [...(found.get(key) ?? []), ...hunks])
    }
  }
  return found
}

/** Decides by file time alone, else `open`. */
function seenAt(one: Touched): State | 'open' {
  try {
    const stat = lstatSync(one.path, { throwIfNoEntry: false })
    if (stat === undefined) return one.isDeleted ? 'same' : 'changed'
    if (one.isDeleted) return 'changed'
    if (!stat.isFile() || stat.size > MOST_BYTES) return 'unknown'
    return Math.abs(stat.mtimeMs - one.at) <= SETTLED_MS ? 'same' : 'open'
  } catch {
    return 'unknown'
  }
}

function looked(
  one: Touched,
  { root, seen, hunks }: { readonly root: string; readonly seen: State | 'open'; readonly hunks: readonly EditHunk[] },
): Looked {
  if (seen !== 'open') return { ...one, root, text: undefined, state: seen }
  let text: string
  try {
    text = readFileSync(one.path, 'utf8')
  } catch {
    return { ...one, root, text: undefined, state: 'unknown' }
  }
  const state = isWhole(text, hunks) ? 'same' : stillStands(text, hunks) ? 'unknown' : 'changed'
  return { ...one, root, text, state }
}

/** Whether all telling lines of the turn are still there. */
function stillStands(text: string, hunks: readonly EditHunk[]): boolean {
  const left = linesLeft(hunks)
  if (left.size === 0) return true
  const flat = text.replace(/\s+/g, ' ')
  return [...left].slice(0, MOST_LINES).every((key) => flat.includes(key))
}

function linesLeft(hunks: readonly EditHunk[]): Set<string> {
  const left = new Set<string>()
  for (const { old, new: fresh } of hunks) {
    const kept = new Set(fresh.map(lineKey))
    for (const line of old ?? []) if (!kept.has(lineKey(line))) for (const one of left) if (one.includes(lineKey(line))) left.delete(one)
    const were = new Set((old ?? []).map(lineKey))
    for (const key of kept) if (!were.has(key) && (key.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= TELLING) left.add(key)
  }
  return left
}

function isWhole(text: string, hunks: readonly EditHunk[]): boolean {
  const [only] = hunks
  if (only === undefined || hunks.length !== 1 || !only.isWholeLines || only.before.length + only.after.length > 0) return false
  if (only.old !== undefined && only.old.length > 0) return false
  return text.replace(/\r\n/g, '\n').replace(/\n$/, '') === only.new.join('\n')
}

/** One git call per repository: commits to the files after the session ended. */
async function askGit({ read }: Store, files: Looked[]): Promise<void> {
  const open = files.filter(({ state }) => state === 'unknown')
  for (const root of new Set(open.map((one) => one.root))) {
    const own = open.filter((one) => one.root === root)
    const since = Math.min(...own.map(({ at }) => at))
    const names = [...new Set(own.map(({ path }) => path.slice(root.length + 1)))]
    const { ok, out } = await runGit({
      ...{ root, timeoutMs: GIT_MS, maxBytes: GIT_BYTES },
      args: [
        'log',
        `--since=${new Date(since).toISOString()}`,
        '--no-renames',
        '--format=%x01%H %at',
        '--name-only',
        '-n',
        '200',
        'HEAD',
        '--',
        ...names,
      ],
    })
    if (!ok) continue
    const commits = out
      .toString('utf8')
      .split('\u0001')
      .slice(1)
      .map((part) => {
        const [head = '', ...rest] = part.split('\n')
        const [hash = '', time] = head.split(' ')
        return { hash, at: Number(time) * 1000, names: new Set(rest.filter((line) => line !== '')) }
      })
    const sessions = [...new Set(own.map(({ session }) => session))]
    const ends = new Map(
      (await read.selectFrom('agent_sessions').select(['id', 'last_message_at']).where('id', 'in', sessions).execute()).map((row) => [
        row.id,
        row.last_message_at ?? Infinity,
      ]),
    )
    for (const one of own) {
      const after = commits.filter(
        ({ at, names: changed }) => at > (ends.get(one.session) ?? Infinity) && changed.has(one.path.slice(root.length + 1)),
      )
      // The first commit after a session may hold its own edits.
      if (after.length > 1) one.state = 'changed'
    }
  }
}

async function answers(
  store: Store,
  files: readonly Looked[],
  written: ReadonlyMap<string, EditHunk[]>,
  { git }: SinceOptions,
): Promise<Map<string, ChangedSince>> {
  const found = new Map<string, ChangedSince>()
  for (const turn of new Set(files.map((one) => one.turn))) {
    const own = files.filter((one) => one.turn === turn)
    const count = (state: State) => own.filter((one) => one.state === state).length
    if (count('unknown') === own.length) continue
    const gone = git === false ? [] : await codeGone(store, turn, own, written)
    found.set(turn, changedSince({ files: own.length, changed: count('changed'), unknown: count('unknown'), code_gone: gone }))
  }
  return found
}

const NAME = /`([A-Za-z_$][\w$.-]{3,80})(?:\(\))?`|\b([a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+)\b/g

/** Names from decisions and edits of the turn that git no longer finds. */
async function codeGone(store: Store, turn: string, files: readonly Looked[], written: ReadonlyMap<string, EditHunk[]>): Promise<string[]> {
  if (!files.some(({ state }) => state === 'changed')) return []
  const rows = await store.read
    .selectFrom('decisions as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select('e.content')
    .where('d.turn_id', '=', turn)
    .limit(10)
    .execute()
  const added = files.flatMap(({ path }) => (written.get(`${turn} ${path}`) ?? []).flatMap(({ new: fresh }) => fresh)).join('\n')
  const said = rows.flatMap(({ content }) =>
    [...(content ?? '').slice(0, 4000).matchAll(NAME)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
  )
  const names = [...new Set(said)].filter((name) => name !== '' && added.includes(name) && !files.some(({ text }) => text?.includes(name)))
  const gone: string[] = []
  for (const name of names.slice(0, MOST_NAMES)) if (await isNowhere(files[0]?.root ?? '', name)) gone.push(redactText(name))
  return gone
}

async function isNowhere(root: string, name: string): Promise<boolean> {
  const head = await runGit({ root, timeoutMs: GIT_MS, args: ['rev-parse', '--is-inside-work-tree'] })
  if (!head.ok) return false
  const { ok, out, reason } = await runGit({
    ...{ root, timeoutMs: GIT_MS, maxBytes: GIT_BYTES },
    args: ['grep', '--untracked', '--no-textconv', '-l', '-F', '-e', name],
  })
  return !ok && out.length === 0 && reason === ''
}
