import { isEmptySession } from '../../analyze/outcome/empty-session.ts'
import { changedFiles } from '../../analyze/projects/read-facts.ts'
import { padded } from '../../core/padded.ts'
import { projectDecisions } from '../../ledgers/projects/project-decisions.ts'
import type { Store } from '../../store/store.ts'
import type { LedgerRow } from './ledger-row.ts'

export interface PublishedProject {
  /** Remote, else folder. */
  readonly key: string
  readonly name: string
  readonly clones: readonly { readonly key: string; readonly name: string }[]
  readonly sessions: readonly string[]
  readonly first: number
  readonly last: number
}

export interface PublishedProjectsOptions {
  readonly agentId: string
  readonly isTemporary: (project: string | null) => boolean
  /** Sessions being published have no rows yet. */
  readonly listed: readonly LedgerRow[]
}

export interface Published {
  readonly projects: readonly PublishedProject[]
  readonly paths: ReadonlyMap<string, string>
}

export async function publishedProjects(store: Store, { agentId, isTemporary, listed }: PublishedProjectsOptions): Promise<Published> {
  const published = new Map(listed.map(({ sessionId, project, membershipTs }) => [sessionId, { project, at: membershipTs }]))
  const older = await store.read
    .selectFrom('artifacts')
    .select(['session_id', 'project', 'membership_ts', 'source_path'])
    .where('agent_id', '=', agentId)
    .where('source_kind', '=', 'summary')
    .orderBy('source_path')
    .execute()
  const paths = new Map(older.map(({ session_id, source_path }) => [session_id, source_path]))
  for (const { session_id, project, membership_ts } of older)
    if (!published.has(session_id) && !isTemporary(project)) published.set(session_id, { project, at: membership_ts ?? 0 })
  const places = await placesOf(store, [...published.keys()])
  const isListed = new Set(listed.map(({ sessionId }) => sessionId))
  const groups = new Map<string, PublishedProject>()
  for (const [id, { project, at }] of published) {
    const place = places.get(id)
    const key = place?.key ?? project
    if (key === null || place?.isGone === true) continue
    if (!isListed.has(id) && place?.isShort === true && (await isEmptySession(store.read, id))) continue
    const known = groups.get(key)
    groups.set(key, {
      key,
      name: known?.name ?? place?.name ?? lastPart(key),
      clones: [],
      sessions: [...(known?.sessions ?? []), id],
      first: Math.min(known?.first ?? at, place?.startedAt ?? at, at),
      last: Math.max(known?.last ?? at, at),
    })
  }
  const all = [...groups.values()].sort((a, b) => b.sessions.length - a.sessions.length || (a.key < b.key ? -1 : 1))
  return { projects: await joined(store, all, agentId), paths }
}

interface Place {
  readonly key: string | null
  readonly name: string | null
  readonly startedAt: number | null
  readonly isShort: boolean
  readonly isGone: boolean
}

/** An empty session has fewer messages. */
const SHORT = 12
const AT_ONCE = 500

async function placesOf(store: Store, ids: readonly string[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const rows = await store.read
      .selectFrom('agent_sessions')
      .select(['id', 'project', 'repository', 'project_name', 'started_at', 'message_count', 'status'])
      .where('id', 'in', padded(ids.slice(from, from + AT_ONCE)))
      .execute()
    for (const { id, project, repository, project_name, started_at, message_count, status } of rows)
      places.set(id, {
        ...{ key: repository ?? project, name: project_name, startedAt: started_at },
        ...{ isShort: message_count <= SHORT, isGone: status === 'deleted' },
      })
  }
  return places
}

/** A clone without a remote shares the repository's name and most changed files. */
const LEAST_SHARED = 4
/** `src/index.ts` is too common to compare. */
const LEAST_DEPTH = 2

async function joined(store: Store, all: readonly PublishedProject[], agentId: string): Promise<PublishedProject[]> {
  const decisions = await projectDecisions(store.read)
  const files = new Map<string, ReadonlySet<string>>()
  const filesOf = async ({ key, sessions }: PublishedProject) => {
    const known = files.get(key)
    if (known !== undefined) return known
    const changed = await changedFiles(store, { agentId, scope: { keys: [], folders: [], ids: sessions } })
    const deep = new Set(changed.flatMap(({ path }) => (path.split('/').length > LEAST_DEPTH ? [path] : [])))
    files.set(key, deep)
    return deep
  }
  const kept: PublishedProject[] = []
  for (const project of [...all].sort((a, b) => Number(isFolder(a.key)) - Number(isFolder(b.key)))) {
    let into = -1
    if (isFolder(project.key))
      for (const [i, other] of kept.entries()) {
        if (lastPart(other.key) !== lastPart(project.key) || decisions.isApart(project.key, other.key)) continue
        const own = await filesOf(project)
        const theirs = await filesOf(other)
        const shared = [...own].filter((path) => theirs.has(path)).length
        if (shared >= LEAST_SHARED && shared * 2 >= own.size) into = i
        if (into === i) break
      }
    const whole = kept[into]
    if (whole === undefined) kept.push(project)
    else
      kept[into] = {
        ...whole,
        clones: [...whole.clones, { key: project.key, name: project.name }],
        sessions: [...whole.sessions, ...project.sessions],
        first: Math.min(whole.first, project.first),
        last: Math.max(whole.last, project.last),
      }
  }
  return kept
}

function isFolder(key: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(key)
}

function lastPart(path: string): string {
  return path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '')
}
