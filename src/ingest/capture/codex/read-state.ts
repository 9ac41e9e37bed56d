/** What is known while a rollout is read: from one line to the next, and, as the carry of a checkpoint, from one sync to the next. */
import type { ForkMarker } from '../../../core/fork-marker.ts'
import type { AgentRecord, SessionRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface Reading {
  readonly state: RolloutState
  readonly items: ReadItem[]
  /** Time of the line at hand. */
  at: number | undefined
  /** Of a line of a forked session: what it is a copy of. */
  copy?: ForkMarker | undefined
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export function pushUnknown(reading: Reading, name: string): void {
  reading.items.push({ type: 'unknown', name })
}

/** A user item or a user_message event, until it is known who said it. */
export interface Asked {
  readonly from: 'item' | 'event'
  readonly name: string
  readonly alias?: string
  readonly hash: string
  readonly text: string
  readonly at?: number
  readonly blocks?: readonly unknown[]
  metadata?: Fields
  /** Undefined while undecided. */
  verdict?: 'prompt' | 'meta' | 'command'
}

/** What an agent_message event said, until its response item comes or does not. */
export interface HeldReply {
  readonly name: string
  readonly text: string
  readonly at?: number
  readonly metadata?: Fields
}

export interface KnownCall {
  /** As the source names it; undefined where it does not. */
  readonly call?: string
  /** As it is stored: unique in its session. */
  readonly part: string
  readonly tool: string
  /** The message that holds its result, once there is one. */
  output?: string
  /** For searches, which have no call id: hash of what was looked for. */
  readonly search?: string
}

export interface ToolTimes {
  readonly startedAt?: number
  readonly completedAt?: number
}

/** What events said of a call whose output is still to come. */
export interface HeldFacts {
  readonly part: string
  facts: Record<string, unknown>
  child?: string
  times?: ToolTimes
}

export interface HeldSearch {
  readonly search: string
  readonly payload: Fields
  readonly at?: number
}

export interface RolloutState {
  readonly version: 1
  lines: number
  hasMessages: boolean
  thread: string
  /** All that is known of the session; `told` once it was given out. */
  session: SessionRecord
  told: boolean
  /** A name that was given before the first message. */
  title?: string
  /** Whether the file's own header was seen, and its time: also that of lines without one. */
  started?: number
  headed: boolean
  /** While the file repeats the thread it was made from: that thread, and the time of the newest line of the copy. */
  copy?: { thread: string; last: number }
  /** The number of the first line that is this thread's own, where its header says so. */
  ownFrom?: number
  turn?: string
  /** Prompts of this thread so far: they stand in for turns where the source names none. */
  prompts: number
  model?: string
  effort?: string
  /** How often each turn said what: see record-name.ts. */
  counts: { readonly scope: string; seen: Record<string, number>; chapter?: number }[]
  reply?: { readonly id: string; text: boolean; calls: boolean }
  /** The reply that the next token count is of. */
  counted?: string
  asked: Asked[]
  /** user_message events since the agent last did something. */
  events: number
  /** Whether the file has such events at all. */
  eventful: boolean
  /** Hash of the first prompt; and whether a turn was broken off since anything was asked: the prompt may then be sent once more. */
  firstPrompt?: string
  aborted?: boolean
  /** Hashes of prompts that were given out without their event: it may still come. */
  askedAlone: string[]
  heldReplies: HeldReply[]
  heldThoughts: { text: string; name: string; at?: number }[]
  /** Hashes of the answers of this turn; of those whose event is still to come; and of thoughts whose event is. */
  texts: string[]
  textsAlone: string[]
  thoughtsAlone: string[]
  /** Answers known only from an event so far: hash of the text, name. */
  byEvent: [hash: string, name: string][]
  calls: KnownCall[]
  heldFacts: HeldFacts[]
  heldSearches: HeldSearch[]
  /** For each prompt the record before it, newest last: the way back. */
  before: (string | null)[]
  last?: string
  /** The conversation went back to before its first message, and nothing has followed yet. */
  emptied: boolean
  usage?: { total?: Fields; used?: number; limit?: number; told: boolean }
}

/** How much of each is kept, so that a carry stays small however long a rollout is. */
const KEPT = { texts: 100, textsAlone: 50, thoughtsAlone: 100, byEvent: 50, calls: 64, before: 100, askedAlone: 8, counts: 3 } as const

export function newState(thread: string, session: SessionRecord): RolloutState {
  return {
    version: 1,
    lines: 0,
    hasMessages: false,
    thread,
    session,
    told: false,
    headed: false,
    prompts: 0,
    counts: [],
    asked: [],
    events: 0,
    eventful: false,
    askedAlone: [],
    heldReplies: [],
    heldThoughts: [],
    texts: [],
    textsAlone: [],
    thoughtsAlone: [],
    byEvent: [],
    calls: [],
    heldFacts: [],
    heldSearches: [],
    before: [],
    emptied: false,
  }
}

/** A value of its own: what is read later does not change it. */
export function toCarry(state: RolloutState): unknown {
  return structuredClone(state)
}

/** Undefined for a carry that is not ours, or of another version. */
export function fromCarry(carry: unknown): RolloutState | undefined {
  const given = carry as Partial<RolloutState> | null | undefined
  return given?.version === 1 ? structuredClone(given as RolloutState) : undefined
}

/** Drops the oldest of what has grown too long. */
export function trimState(state: RolloutState): void {
  for (const key of Object.keys(KEPT) as (keyof typeof KEPT)[]) {
    const list: unknown[] = state[key]
    if (list.length > KEPT[key]) list.splice(0, list.length - KEPT[key])
  }
}
