/**
 * What a hook leaves before it does anything else where a turn, a session or a compaction ends: a small file in the home. It goes when the
 * task is queued. Where that fails, because the time is over, the process is ended, or the database cannot be written, the next hook, worker
 * or sync takes it over. Ids, names and paths only, never a text; a session has one file for each event, however often it ends.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropFile } from './drop-file.ts'
import { TRACE_FOLDER } from './home-folder.ts'

export interface HookTrace {
  readonly harness: string
  readonly event: string
  readonly agent?: string
  /** Of what the harness sent: which session it is, and where. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** What tells a session, in any harness. A test holds that a trace and the whole payload make the same call. */
const KEPT: ReadonlySet<string> = new Set([
  ...['session_id', 'sessionID', 'sessionId', 'conversation_id', 'sessionKey', 'session_key', 'turn_id'],
  ...['transcript_path', 'sessionFile', 'cwd', 'directory', 'workspaceDir', 'workspace_roots'],
  ...['agent_id', 'agentId', 'subagent_id', 'parent_conversation_id', 'parentID', 'parent_id', 'cursor_version'],
  ...['source', 'trigger', 'reason', 'status'],
])
const NESTED: ReadonlySet<string> = new Set(['ctx', 'context', 'event'])
/** Ids, names and paths are short. */
const LONGEST = 1024
/** A hook that still runs queues its task itself. */
const STILL_RUNS_MS = 10_000
const OLDEST_MS = 90 * 86_400_000
const NAME = /^[0-9a-f]{32}\.json$/

/** The file, to be dropped when the task is queued; undefined where none can be left. Never throws: the hook goes on without. */
export function leaveTrace(home: string, { payload, ...call }: HookTrace): string | undefined {
  const trace = { ...call, payload: keptOf(payload) }
  // The same for each end of one turn, and for each turn: whoever takes it over reads the whole log.
  const { turn_id: _, ...session } = trace.payload
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  const name = hash.update(JSON.stringify({ ...call, payload: session })).digest('hex')
  const path = join(home, TRACE_FOLDER, `${name.slice(0, 32)}.json`)
  const temporary = `${path}.${process.pid}`
  try {
    if (!existsSync(home)) return undefined // without a home there is no memory
    mkdirSync(join(home, TRACE_FOLDER), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(trace), { mode: 0o600 })
    renameSync(temporary, path)
    return path
  } catch {
    dropFile(temporary)
    return undefined
  }
}

export const dropTrace: (path: string) => void = dropFile

export interface WaitingTrace {
  readonly path: string
  /** Undefined where the file is not what this program wrote. */
  readonly trace: HookTrace | undefined
}

/** Those that no running hook is about to queue, oldest first. Removes what a killed process left half written, and what is too old to matter. */
export function waitingTraces(home: string, now: number, stillRunsMs = STILL_RUNS_MS): WaitingTrace[] {
  const folder = join(home, TRACE_FOLDER)
  const found = entries(folder).flatMap((name) => {
    const path = join(folder, name)
    const left = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (left === undefined || now - left < stillRunsMs) return []
    if (NAME.test(name) && now - left < OLDEST_MS) return [{ path, left }]
    dropFile(path)
    return []
  })
  return found.sort((a, b) => a.left - b.left).map(({ path }) => ({ path, trace: readTrace(path) }))
}

/** Who only looks, as `health` does, must not fail where there is no such folder, or one that cannot be listed. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readTrace(path: string): HookTrace | undefined {
  try {
    const { harness, event, agent, payload } = JSON.parse(readFileSync(path, 'utf8')) as Partial<HookTrace>
    if (typeof harness !== 'string' || typeof event !== 'string' || payload === null || typeof payload !== 'object') return undefined
    return { harness, event, payload: keptOf(payload), ...(typeof agent === 'string' ? { agent } : {}) }
  } catch {
    return undefined
  }
}

function keptOf(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(payload)) {
    if (NESTED.has(key) && value !== null && typeof value === 'object' && !Array.isArray(value)) {
      kept[key] = keptOf(value as Record<string, unknown>)
    } else if (KEPT.has(key)) {
      const first = Array.isArray(value) ? value.find((item) => typeof item === 'string' && item !== '') : value
      if (typeof first === 'string' && first.length <= LONGEST) kept[key] = Array.isArray(value) ? [first] : first
    }
  }
  return kept
}
