/** Parser state, kept between lines and, as a checkpoint's carry, between syncs. */
import type { ForkMarker } from '../../../core/fork-marker.ts'
import type { AgentRecord, SessionRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'

export interface Reading {
  readonly state: RolloutState
  readonly items: ReadItem[]
  at: number | undefined
  /** Copy marker of a forked session's line. */
  copy?: ForkMarker | undefined
}

export function push(reading: Reading, record: AgentRecord): void {
  reading.items.push({ type: 'record', record })
}

export function pushUnknown(reading: Reading, name: string): void {
  reading.items.push({ type: 'unknown', name })
}

/** A user item or user_message event whose author is undecided. */
export interface Asked {
  readonly from: 'item' | 'event'
  readonly name: string
  readonly alias?: string
  readonly hash: string
  readonly text: string
  readonly at?: number
  readonly blocks?: readonly unknown[]
  metadata?: Fields
  verdict?: 'prompt' | 'meta' | 'command'
}

/** Text of an agent_message event whose item may still come. */
export interface HeldReply {
  readonly name: string
  readonly text: string
  readonly at?: number
  readonly metadata?: Fields
}

export interface KnownCall {
  readonly call?: string
  /** Stored id, unique in the session. */
  readonly part: string
  readonly tool: string
  output?: string
  /** Query hash, because searches have no call id. */
  readonly search?: string
}

export interface ToolTimes {
  readonly startedAt?: number
  readonly completedAt?: number
}

/** Event data of a call whose output is pending. */
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
  session: SessionRecord
  told: boolean
  title?: string
  /** Time of the file's own header; also used for lines without one. */
  started?: number
  headed: boolean
  /** Set while the file repeats its original thread; `last` is the newest line's time. */
  copy?: { thread: string; last: number }
  /** The first own line number, if the header states it. */
  ownFrom?: number
  turn?: string
  /** Replaces turn ids if the source has none. */
  prompts: number
  model?: string
  effort?: string
  counts: { readonly scope: string; seen: Record<string, number>; chapter?: number }[]
  reply?: { readonly id: string; text: boolean; calls: boolean }
  /** The reply that the next token count refers to. */
  counted?: string
  asked: Asked[]
  events: number
  eventful: boolean
  firstPrompt?: string
  aborted?: boolean
  /** Prompts emitted without their event, which may still come. */
  askedAlone: string[]
  heldReplies: HeldReply[]
  heldThoughts: { text: string; name: string; at?: number }[]
  /** Hashes: answers of this turn, answers awaiting their event, thoughts awaiting theirs. */
  texts: string[]
  textsAlone: string[]
  thoughtsAlone: string[]
  /** Answers known only from events. */
  byEvent: [hash: string, name: string][]
  calls: KnownCall[]
  heldFacts: HeldFacts[]
  heldSearches: HeldSearch[]
  /** The record before each prompt, for rollbacks. */
  before: (string | null)[]
  last?: string
  /** Rolled back to before the first message. */
  emptied: boolean
  usage?: { total?: Fields; used?: number; limit?: number; told: boolean }
}

/** Limits that keep the carry small. */
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

export function toCarry(state: RolloutState): unknown {
  return structuredClone(state)
}

export function fromCarry(carry: unknown): RolloutState | undefined {
  const given = carry as Partial<RolloutState> | null | undefined
  return given?.version === 1 ? structuredClone(given as RolloutState) : undefined
}

export function trimState(state: RolloutState): void {
  for (const key of Object.keys(KEPT) as (keyof typeof KEPT)[]) {
    const list: unknown[] = state[key]
    if (list.length > KEPT[key]) list.splice(0, list.length - KEPT[key])
  }
}
