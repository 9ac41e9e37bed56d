/**
 * The memory-reader: what memory a prompt is given before its agent sees it. It decides whether the prompt needs any, looks for it in
 * phrasings of its own, and hands back dated, cited pieces within a budget of tokens. It writes nothing but what it gave to which session, so
 * that no piece is given twice; it calls no language model.
 */
import type { KnownLine } from '../../search/known/known-line.ts'

export interface ReadRequest {
  /** The persona whose memory is read. */
  readonly agent: string
  readonly prompt: string
  /** The folder that the session works in: its project is the scope, unless the prompt or the configuration widens it. */
  readonly folder?: string
  readonly harness?: string
  /** The session by the harness's own id: what it was given already is not given again. Absent: nothing is remembered. */
  readonly session?: string
  /** Whether the prompt is the first of its session: then "continue" asks where the work stands. Absent: not known. */
  readonly opens?: boolean
  /** Default: the branch that the folder stands on. */
  readonly branch?: string
  /** Most tokens of the whole text. */
  readonly maxTokens?: number
  /** Answers with what there is when it fires: with vectors late, by words alone. */
  readonly signal?: AbortSignal
  /** How many milliseconds the caller still waits: among many chunks it may be too few to compare a vector with all. */
  readonly left?: () => number
  /** Says for each candidate why it is there, or why not. */
  readonly explain?: boolean
}

export interface ReadPiece {
  /** What `show` and `memory_get` take. */
  readonly citation: string
  readonly kind: 'turn' | 'work' | 'decision' | 'preference' | 'fact' | 'document' | 'conversation' | 'state'
  readonly date: string
  readonly title: string | null
  readonly project: string | null
  readonly trust: string
  readonly text: string
  readonly tokens: number
  /** Which phrasing, entity or file led to it. */
  readonly why: string
}

export interface ReadAnswer {
  /** Whether the prompt needs memory, and by what that was seen. */
  readonly needed: boolean
  readonly reason: string
  readonly scope: 'project' | 'all'
  readonly phrasings: readonly string[]
  /** Stands before the pieces. */
  readonly known: readonly KnownLine[]
  readonly pieces: readonly ReadPiece[]
  readonly tokens: number
  /** Marked as memory, ready to be injected; empty where there is nothing to give. */
  readonly text: string
  /** How it was looked for: `hybrid`, or `lexical: …` with the reason. */
  readonly mode: string
  /** With `explain`: what was considered and left out, and why. */
  readonly left?: readonly { readonly citation: string; readonly why: string }[]
}

export interface BriefRequest {
  readonly agent: string
  readonly folder?: string
  readonly harness?: string
  readonly session?: string
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

/** At the start of a session: where the project stands, decisions that hold, open actions, the owner's rules, what changed since last time. */
export interface BriefAnswer {
  readonly project: string | null
  /** The same bytes while the memory is the same, so that a harness's cache of prompts holds. */
  readonly stable: string
  /** What changed since this agent was last in this project; empty where nothing did. */
  readonly changed: string
  readonly tokens: number
  /** Both, marked as memory. */
  readonly text: string
}
