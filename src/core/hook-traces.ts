/**
 * A file that a hook writes first when a turn, session or compaction ends. It is deleted once the task is queued. If the hook fails or is
 * killed, the next hook, worker or sync takes over. Ids, names and paths only; one file per session and event.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropFile } from './drop-file.ts'
import { TRACE_FOLDER } from './home-folder.ts'

export interface HookTrace {
  readonly harness: string
  readonly event: string
  readonly agent?: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Fields that identify a session in any harness. A test proves that they suffice. */
const KEPT: ReadonlySet<string> = new Set([
  ...['session_id', 'sessionID', 'sessionId', 'conversation_id', 'sessionKey', 'session_key', 'turn_id'],
  ...['transcript_path', 'sessionFile', 'cwd', 'directory', 'workspaceDir', 'workspace_roots'],
  ...['agent_id', 'agentId', 'subagent_id', 'parent_conversation_id', 'parentID', 'parent_id', 'cursor_version'],
  ...['source', 'trigger', 'reason', 'status'],
])
const NESTED: ReadonlySet<string> = new Set(['ctx', 'context', 'event'])
const LONGEST = 1024
/** A running hook queues its task itself. */
const STILL_RUNS_MS = 10_000
const OLDEST_MS = 90 * 86_400_000
const NAME = /^[0-9a-f]{32}\.json$/

/** Path to delete after queueing; undefined on failure. Never throws. */
export function leaveTrace(home: string, { payload, ...call }: HookTrace): string | undefined {
  const trace = { ...call, payload: keptOf(payload) }
  // One file per session: the successor reads the whole log.
  const { turn_id: _, ...session } = trace.payload
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  const name = hash.update(JSON.stringify({ ...call, payload: session })).digest('hex')
  const path = join(home, TRACE_FOLDER, `${name.slice(0, 32)}.json`)
  const temporary = `${path}.${process.pid}`
  try {
    if (!existsSync(home)) return undefined // no home, no memory
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
  readonly trace: HookTrace | undefined
}

/** Traces without a running hook, oldest first. Deletes partial and outdated files. */
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

/** `health` must not fail on a missing or unreadable folder. */
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
