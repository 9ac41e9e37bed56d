/** What is known while a transcript is read: from one line to the next, and, as the carry of a checkpoint, from one sync to the next. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface UnitNames {
  readonly path: string
  /** The file's name without `.jsonl`. */
  readonly stem: string
  /** `agent-…`: a subagent's file, where its records agree. */
  readonly agentFile: boolean
  /** The session whose folder holds this file. */
  readonly folderSession: string | undefined
  /** The folder in which the session keeps what is too long for the transcript. */
  readonly sessionFolder: string
}

export interface Reading {
  readonly names: UnitNames
  readonly state: ReadState
  /** A subagent's `.meta.json`, where it has one. */
  readonly meta: Fields | undefined
  /** Whole outputs of the line at hand, by call, where the transcript holds only their beginning. */
  outputs: ReadonlyMap<string, string>
  readonly items: ReadItem[]
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export interface SessionInfo {
  readonly firstHash: string
  /** What the session's record holds already. */
  told: Record<string, string>
  /** Name of the session's last record. */
  last?: string
  /** Messages without a name so far. */
  nameless: number
}

/** What is known of a session that has no message yet: a title or a link alone makes no session. */
export interface Waiting {
  context: Record<string, unknown>
  titles: { title: string; rank: 3 | 4 }[]
}

export interface QueuedPrompt {
  readonly session: string
  readonly text: string
  readonly timestamp?: string
}

export interface Boundary {
  readonly session: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A written line of an API message: its hash, its name, and the request it answered. */
export type SeenPart = readonly [hash: string, uuid: string, request: string]

export interface ReadState {
  lines: number
  hasMessages: boolean
  /** Session of the record before. */
  current?: string
  /** The newest session that is no subagent's. */
  main?: string
  boundary?: Boundary
  readonly sessions: Map<string, SessionInfo>
  readonly waiting: Map<string, Waiting>
  /** Records of inline sidechains, by name: which of them they belong to. */
  readonly sidechains: Map<string, string>
  /** Calls that start subagents: hash of their prompt, id of the call. */
  readonly tasks: Map<string, string>
  /** The newest API messages, by id: the lines of each. */
  readonly parts: Map<string, SeenPart[]>
  /** Prompts typed while the agent worked; those taken out of the queue mid-turn; those already seen as a record. */
  readonly queue: QueuedPrompt[]
  readonly taken: QueuedPrompt[]
  readonly delivered: string[]
  /** What follows the first name follows the second: prompts that were put into the chain. */
  readonly splices: Map<string, string>
}

/** How much of each is kept, so that a carry stays small however long a transcript is. */
const KEPT = { sessions: 64, waiting: 16, sidechains: 64, tasks: 32, parts: 8, queue: 20, taken: 20, delivered: 20, splices: 8 } as const

const MAPS = ['sessions', 'waiting', 'sidechains', 'tasks', 'parts', 'splices'] as const
const LISTS = ['queue', 'taken', 'delivered'] as const

export function newState(): ReadState {
  return {
    lines: 0,
    hasMessages: false,
    sessions: new Map(),
    waiting: new Map(),
    sidechains: new Map(),
    tasks: new Map(),
    parts: new Map(),
    queue: [],
    taken: [],
    delivered: [],
    splices: new Map(),
  }
}

/** A JSON value of its own: what is read later does not change it. Empty parts are left out. */
export function toCarry(state: ReadState): unknown {
  const { lines, hasMessages, current, main, boundary } = state
  const carry: Record<string, unknown> = { lines, hasMessages, current, main, boundary }
  for (const key of MAPS) if (state[key].size > 0) carry[key] = [...state[key]]
  for (const key of LISTS) if (state[key].length > 0) carry[key] = state[key]
  return JSON.parse(JSON.stringify(carry))
}

/** A carry that is not ours, or of another version, counts as none. */
export function fromCarry(carry: unknown): ReadState {
  const state = newState()
  if (typeof carry !== 'object' || carry === null) return state
  const given = carry as Partial<Record<keyof ReadState, unknown>>
  Object.assign(state, structuredClone(pick(given)))
  for (const key of MAPS)
    for (const entry of listOf(given[key])) (state[key] as Map<unknown, unknown>).set(...(structuredClone(entry) as [unknown, unknown]))
  for (const key of LISTS) (state[key] as unknown[]).push(...listOf(given[key]))
  return state
}

function pick({ lines, hasMessages, current, main, boundary }: Partial<Record<keyof ReadState, unknown>>): object {
  const scalars = { lines: lines ?? 0, hasMessages: hasMessages ?? false, current, main, boundary }
  return Object.fromEntries(Object.entries(scalars).filter(([, value]) => value !== undefined))
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Drops the oldest of what has grown too long; of the sessions, only sidechains. */
export function trimState(state: ReadState): void {
  for (const key of MAPS) {
    const map: Map<string, unknown> = state[key]
    if (map.size <= KEPT[key]) continue
    for (const name of map.keys()) {
      if (map.size <= KEPT[key]) break
      if (key !== 'sessions' || name.startsWith('sidechain-')) map.delete(name)
    }
  }
  for (const key of LISTS) if (state[key].length > KEPT[key]) state[key].splice(0, state[key].length - KEPT[key])
}
