/** Parser state, kept between lines and, as a checkpoint's carry, between syncs. */
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { isFields } from '../fields.ts'
import type { Dialect } from './dialect.ts'

export interface Reading {
  readonly dialect: Dialect
  readonly state: ReadState
  readonly items: ReadItem[]
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export interface ReadState {
  lines: number
  opened: boolean
  hasMessages: boolean
  /** A message was emitted: an entry without a parent now starts a branch. */
  spoken: boolean
  session: string
  headerId: string
  headerTime: string
  /** First version, or converted from it: messages are also matched by content. */
  oldVersion: boolean
  hasTitleSlot: boolean
  leaf?: string
  /** Context already emitted. */
  told: Record<string, unknown>
  /** Entries before the first message: their children are roots. */
  roots: string[]
  calls: [call: string, entry: string, name?: string][]
  numbers: string[]
  said: string[]
  waiting: { model?: string; title?: string; cwd?: string; raw?: unknown; context: Record<string, unknown> }
}

/** Limits that keep the carry small. */
const KEPT = { roots: 64, calls: 64, numbers: 500, said: 8 } as const

export function newState(): ReadState {
  return {
    lines: 0,
    opened: false,
    hasMessages: false,
    spoken: false,
    session: '',
    headerId: '',
    headerTime: '',
    oldVersion: false,
    hasTitleSlot: false,
    told: {},
    roots: [],
    calls: [],
    numbers: [],
    said: [],
    waiting: { context: {} },
  }
}

export function toCarry(state: ReadState): unknown {
  return JSON.parse(JSON.stringify(state))
}

export function fromCarry(carry: unknown): ReadState | undefined {
  if (!isFields(carry) || typeof carry.session !== 'string' || carry.session === '' || !Array.isArray(carry.roots)) return undefined
  return { ...newState(), ...structuredClone(carry as object) }
}

export function trimState(state: ReadState): void {
  for (const key of ['roots', 'calls', 'numbers', 'said'] as const) {
    const list = state[key] as unknown[]
    // The first root is the header: keep it.
    if (list.length > KEPT[key]) list.splice(key === 'roots' ? 1 : 0, list.length - KEPT[key])
  }
}
