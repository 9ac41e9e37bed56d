/** Parser state, kept between lines and, as a checkpoint's carry, between syncs. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface UnitNames {
  readonly path: string
  readonly stem: string
  /** `agent-…`: a subagent's file, if its records agree. */
  readonly agentFile: boolean
  readonly folderSession: string | undefined
  /** Folder with the session's oversized outputs. */
  readonly sessionFolder: string
}

export interface Reading {
  readonly names: UnitNames
  readonly state: ReadState
  readonly meta: Fields | undefined
  outputs: ReadonlyMap<string, string>
  readonly items: ReadItem[]
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export interface SessionInfo {
  readonly firstHash: string
  /** Context already emitted. */
  told: Record<string, string>
  last?: string
  nameless: number
}

/** Context of a session without messages: a title or link alone creates no session. */
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

export type SeenPart = readonly [hash: string, uuid: string, request: string]

export interface ReadState {
  lines: number
  hasMessages: boolean
  current?: string
  main?: string
  boundary?: Boundary
  readonly sessions: Map<string, SessionInfo>
  readonly waiting: Map<string, Waiting>
  /** Inline sidechain records: name → sidechain. */
  readonly sidechains: Map<string, string>
  /** Prompt hash → id of the call that starts a subagent. */
  readonly tasks: Map<string, string>
  readonly parts: Map<string, SeenPart[]>
  /** Prompts typed while the agent worked: queued, taken out mid-turn, already seen as a record. */
  readonly queue: QueuedPrompt[]
  readonly taken: QueuedPrompt[]
  readonly delivered: string[]
  /** Children of the key become children of the value (a spliced-in prompt). */
  readonly splices: Map<string, string>
}

/** Limits that keep the carry small. */
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

export function toCarry(state: ReadState): unknown {
  const { lines, hasMessages, current, main, boundary } = state
  const carry: Record<string, unknown> = { lines, hasMessages, current, main, boundary }
  for (const key of MAPS) if (state[key].size > 0) carry[key] = [...state[key]]
  for (const key of LISTS) if (state[key].length > 0) carry[key] = state[key]
  return JSON.parse(JSON.stringify(carry))
}

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
