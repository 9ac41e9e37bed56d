import { given } from '../../../core/given.ts'
import { sha256, shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { SessionRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, textOf } from '../fields.ts'
import { newState, push, type Reading, type RolloutState } from './read-state.ts'
import { type RolloutNames, UUID } from './rollout-names.ts'

export function unheaded({ thread }: RolloutNames): RolloutState {
  const weakName = UUID.test(thread) ? {} : { weakName: true }
  return newState(thread, { type: 'session', session: thread, firstHash: shortHash(16, thread), ...weakName })
}

/** The first header is the file's own. A later one with another thread starts the copy of the original. */
export function sessionMeta(payload: Fields, reading: Reading): void {
  const { state, at } = reading
  const thread = textOf(payload.id) ?? textOf(payload.session_id)
  if (state.headed) {
    if (thread !== undefined && thread !== state.thread) beginCopy(thread, reading)
    return
  }
  state.headed = true
  const started = at ?? parseTimestamp(payload.timestamp)
  if (started !== undefined) state.started = started
  if (typeof payload.subagent_history_start_ordinal === 'number') state.ownFrom = payload.subagent_history_start_ordinal
  if (thread !== undefined) state.thread = thread
  state.session = sessionOf(state.thread, payload)
  // In a truncated file, lines may precede the header.
  if (state.told) push(reading, state.session)
}

function beginCopy(thread: string, { state, at }: Reading): void {
  state.copy = { thread, last: at ?? state.started ?? 0 }
  state.prompts = 0
  if (state.session.parentSession === undefined) {
    state.session = { ...state.session, parentSession: thread, context: { ...state.session.context, forked_from: thread } }
  }
}

/** A copy is written at once, so it ends at the first later line. New versions state its end by line number. */
export function followCopy({ state, at }: Reading, ordinal: unknown): void {
  const { copy, ownFrom } = state
  if (copy === undefined) return
  const known = ownFrom === undefined || typeof ordinal !== 'number' ? undefined : ordinal < ownFrom
  if (known === true || (known === undefined && (at === undefined || at <= (state.started ?? 0)))) return
  if (known === undefined && at !== undefined && at - copy.last <= COPY_GAP) {
    copy.last = Math.max(copy.last, at)
    return
  }
  delete state.copy
  state.prompts = 0
}

const COPY_GAP = 1000

function sessionOf(thread: string, payload: Fields): SessionRecord {
  const cwd = textOf(payload.cwd)
  const source = fieldsOf(payload.source)
  const subagent = source?.subagent
  const spawn = fieldsOf(fieldsOf(subagent)?.thread_spawn)
  const isSubagent = subagent !== undefined || payload.thread_source === 'subagent'
  const parent = textOf(payload.parent_thread_id) ?? textOf(spawn?.parent_thread_id) ?? textOf(payload.forked_from_id)
  const task = textOf(subagent) ?? textOf(spawn?.agent_path) ?? textOf(fieldsOf(subagent)?.other)
  const context = contextOf(payload, spawn)
  return {
    type: 'session',
    session: thread,
    firstHash: shortHash(16, thread, '\n', textOf(payload.timestamp) ?? ''),
    ...(UUID.test(thread) ? {} : { weakName: true }),
    ...given({ project: cwd, workspacePath: cwd, isSubagent: isSubagent || undefined }),
    ...given({ parentSession: parent === thread ? undefined : parent }),
    ...given({ taskDescription: isSubagent ? task : undefined, context }),
    raw: headerOf(payload),
  }
}

function contextOf(payload: Fields, spawn: Fields | undefined): Fields | undefined {
  const git = fieldsOf(payload.git)
  return filled({
    version: payload.cli_version,
    originator: payload.originator,
    source: textOf(payload.source),
    model_provider: payload.model_provider,
    git_branch: git?.branch,
    git_commit: git?.commit_hash,
    git_repository: git?.repository_url,
    forked_from: payload.forked_from_id,
    agent_nickname: spawn?.agent_nickname ?? payload.agent_nickname,
    agent_role: spawn?.agent_role ?? payload.agent_role,
    agent_path: spawn?.agent_path ?? payload.agent_path,
    history_mode: payload.history_mode,
  })
}

/** Long texts that repeat in every session. */
const SHARED = ['base_instructions', 'instructions', 'dynamic_tools', 'user_instructions'] as const
const LONG = 500

function headerOf(payload: Fields): unknown {
  const kept: Record<string, unknown> = { ...payload }
  for (const key of SHARED) {
    const text = kept[key] === undefined || kept[key] === null ? '' : JSON.stringify(kept[key])
    if (text.length > LONG) kept[key] = { sha256: sha256(text), bytes: Buffer.byteLength(text) }
  }
  return withoutBinary(kept)
}

export function turnContext(payload: Fields, { state }: Reading): void {
  const turn = textOf(payload.turn_id)
  const model = textOf(payload.model)
  const effort = textOf(payload.effort)
  if (turn !== undefined) state.turn = turn
  if (model !== undefined) state.model = model
  if (effort !== undefined) state.effort = effort
  const cwd = textOf(payload.cwd)
  if (cwd !== undefined && state.session.project === undefined && !state.told)
    state.session = { ...state.session, project: cwd, workspacePath: cwd }
}

/** Emitted rarely: they change with every request. */
export function pushUsage(reading: Reading): void {
  const { usage, session, told } = reading.state
  if (usage === undefined || usage.told || !told) return
  usage.told = true
  push(reading, {
    type: 'session',
    session: session.session,
    firstHash: session.firstHash,
    ...given({ contextTokenLimit: usage.limit, contextTokensUsed: usage.used }),
    ...given({ context: usage.total && { tokens: usage.total } }),
  })
}

export function pushContext({ state, items }: Reading, facts: Fields): void {
  const context = filled(facts)
  if (context === undefined) return
  state.session = { ...state.session, context: { ...state.session.context, ...context } }
  const { session, firstHash } = state.session
  if (state.told) items.push({ type: 'record', record: { type: 'session', session, firstHash, context } })
}
