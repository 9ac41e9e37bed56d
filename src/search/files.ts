import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import type { FileAction, FileTouch, WorkFilter } from '../store/work.ts'
import { type Owner, people } from './person.ts'
import type { SearchFilters } from './result.ts'
import { scopeOf } from './scope.ts'
import { workFilter } from './work/find.ts'
import { checkWorkNames } from './work/known.ts'
import { relative } from './work/text.ts'

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
const LONGEST_GLOB = 1000
const ACTIONS: readonly FileAction[] = ['read', 'edit', 'create', 'delete']
const TITLE_LENGTH = 200
const PATH_LENGTH = 65_536

export interface FilesRequest
  extends Pick<SearchFilters, 'after' | 'before' | 'since' | 'until' | 'project' | 'session' | 'sources' | 'agent' | 'branches'> {
  /** Path, end of a path or name, with `*`, `?` and `**`; default all. */
  readonly glob?: string
  readonly action?: FileAction
  /** 1 to 10,000; default 20. */
  readonly limit?: number
}

export interface FilesAnswer {
  readonly files: readonly TouchedFile[]
  /** Pairs of file and session, including those beyond the limit. */
  readonly total: number
}

export interface TouchedFile {
  readonly path: string
  readonly file: string
  readonly session_id: string
  readonly id: string
  readonly session_title: string | null
  readonly project: string | null
  readonly harness: string
  readonly read: number
  readonly edited: number
  readonly created: number
  readonly deleted: number
  readonly first_at: string
  readonly last_at: string
}

export interface FilesOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: Owner
  readonly agentId: string
}

export async function listFiles(request: FilesRequest, options: FilesOptions): Promise<FilesAnswer> {
  const { store, owner } = options
  const { glob, action, limit = DEFAULT_LIMIT, ...filters } = request
  if (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_LIMIT || (action !== undefined && !ACTIONS.includes(action)))
    throw new MnemonicError('USAGE', `the limit is a whole number from 1 to ${HIGHEST_LIMIT}, the action one of ${ACTIONS.join(', ')}`, {
      details: { limit, action },
    })
  if (glob !== undefined && (glob.trim() === '' || glob.length > LONGEST_GLOB))
    throw new MnemonicError('USAGE', `the glob must be a text of 1 to ${LONGEST_GLOB} characters`, { details: { length: glob.length } })
  const scope = await scopeOf(filters, { ...options, people: people(store, owner) })
  const actions = action === undefined ? undefined : [action]
  const filter = given({ ...workFilter({ ...filters, ...given({ file: glob }) }, scope), actions }) as WorkFilter
  const { files, total } = await store.work.files(filter, limit)
  if (total === 0) await checkWorkNames(store, filter)
  return { files: await present(store, files), total }
}

async function present(store: Store, files: readonly FileTouch[]): Promise<TouchedFile[]> {
  if (files.length === 0) return []
  const sessions = new Map((await store.rows.sessions([...new Set(files.map(({ session_id }) => session_id))])).map((row) => [row.id, row]))
  const calls = new Map(
    (
      await store.work.calls(
        files.map(({ last_id }) => last_id),
        0,
      )
    ).map((call) => [call.id, call]),
  )
  const short = await shortTurnIds(
    store,
    [...calls.values()].flatMap(({ turn_id }) => turn_id ?? []),
  )
  return files.flatMap((touch) => {
    const session = sessions.get(touch.session_id)
    if (session === undefined) return []
    const { session_id, read, edited, created, deleted } = touch
    const project = safe(session.project, PATH_LENGTH)
    const path = safe(touch.path, PATH_LENGTH) ?? ''
    const turn = calls.get(touch.last_id)?.turn_id ?? ''
    return {
      ...{ path, file: relative(path, project), session_id, id: short.get(turn) ?? session_id },
      ...{ session_title: safe(session.title, TITLE_LENGTH), project, harness: session.source },
      ...{ read, edited, created, deleted, first_at: toIso(touch.first_at), last_at: toIso(touch.last_at) },
    }
  })
}

function safe(text: string | null, length: number): string | null {
  return text === null ? null : oneLine(redactSensitiveText(text, { mode: 'tools' }), length)
}
