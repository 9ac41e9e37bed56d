/** What is known while a session file is read: from one line to the next, and, as the carry of a checkpoint, from one sync to the next. */
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
  /** The session's own record was put out. */
  opened: boolean
  hasMessages: boolean
  /** Something was said already: what has no parent from here on begins a branch of its own. */
  spoken: boolean
  session: string
  headerId: string
  headerTime: string
  /** Files of the first version, and those that were one once: their messages are known by what they say, too. */
  oldVersion: boolean
  /** The file begins with a title that is written over in place. */
  hasTitleSlot: boolean
  /** The last entry: where the conversation stands. */
  leaf?: string
  /** What the session's record holds already. */
  told: Record<string, unknown>
  /** Entries above the first message: what follows one of them begins anew. */
  roots: string[]
  /** Which entry made a call, and its name where it is not the source's: a result may name the call as what it follows. */
  calls: [call: string, entry: string, name?: string][]
  /** Names of calls that may well be given again. */
  numbers: string[]
  /** Hashes of the newest answers, to know a copy of one. */
  said: string[]
  /** What was learnt of the session before its first message. */
  waiting: { model?: string; title?: string; cwd?: string; raw?: unknown; context: Record<string, unknown> }
}

/** How much of each list is kept, so that a carry stays small however long a session is. */
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

/** A JSON value of its own: what is read later does not change it. */
export function toCarry(state: ReadState): unknown {
  return JSON.parse(JSON.stringify(state))
}

/** Undefined where the carry is not ours: the file is read from its beginning then. */
export function fromCarry(carry: unknown): ReadState | undefined {
  if (!isFields(carry) || typeof carry.session !== 'string' || carry.session === '' || !Array.isArray(carry.roots)) return undefined
  return { ...newState(), ...structuredClone(carry as object) }
}

export function trimState(state: ReadState): void {
  for (const key of ['roots', 'calls', 'numbers', 'said'] as const) {
    const list = state[key] as unknown[]
    // The first root is the header: it stays.
    if (list.length > KEPT[key]) list.splice(key === 'roots' ? 1 : 0, list.length - KEPT[key])
  }
}
